import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AcpMessage } from './acp';

/** Plays Gemini CLI with `--acp` as its recordings do: it reaches the tools of a session by itself. */
const SOURCE = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const [, file] = process.argv;
const sessions = new Map();
let made = 0;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const update = (sessionId, fields) => send({ method: 'session/update', params: { sessionId, update: fields } });
const says = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

async function callTool([{ url, headers }], city, signal) {
  const post = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const own = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    return (await fetch(url, { method: 'POST', headers: own, body, signal })).text();
  };
  const [{ name }] = JSON.parse(await post('tools/list')).result.tools;
  const answer = await post('tools/call', { name, arguments: { city, wait_for_previous: true } });
  return JSON.parse(answer.split('data: ')[1]).result.content.map(({ text }) => text).join();
}

async function prompt(id, { sessionId, prompt: [{ text }] }) {
  const session = sessions.get(sessionId);
  session.abort = new AbortController();
  let stopReason = 'end_turn';
  try {
    if (!/^Weather/.test(text)) says(sessionId, text + '!');
    else {
      says(sessionId, 'Let me look.');
      let heard = '';
      for (const city of text.split(' ').slice(1)) {
        update(sessionId, { sessionUpdate: 'tool_call', status: 'in_progress' });
        heard += await callTool(session.mcpServers, city, session.abort.signal);
      }
      says(sessionId, heard);
    }
  } catch {
    stopReason = 'cancelled';
  }
  send({ id, result: { stopReason, _meta: { quota: { token_count: { input_tokens: 10, output_tokens: 2 } } } } });
}

const methods = {
  initialize: (id) => send({ id, result: { protocolVersion: 1 } }),
  'session/new'(id, { mcpServers }) {
    const sessionId = 's' + (made += 1);
    sessions.set(sessionId, { mcpServers });
    send({ id, result: { sessionId } });
  },
  'session/load'(id, { sessionId, mcpServers }) {
    sessions.set(sessionId, { mcpServers });
    send({ id, result: {} });
    for (let count = 0; count < 3; count += 1) says(sessionId, 'of the history');
  },
  'session/set_model': (id) => send({ id, result: {} }),
  'session/cancel': (_id, { sessionId }) => sessions.get(sessionId).abort.abort(),
  'session/prompt': prompt,
};

require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  appendFileSync(file + '.log', line + '\\n');
  const { id, method, params } = JSON.parse(line);
  methods[method](id, params);
});
`;

/** Writes the program into a folder. A prompt that begins with "Weather" makes it call a tool for each further word. */
export function toolCallingProgram(folder: string): { command: string; received: () => AcpMessage[] } {
  const command = join(folder, 'gemini');
  writeFileSync(command, SOURCE);
  chmodSync(command, 0o755);
  const lines = (): string[] => readFileSync(`${command}.log`, 'utf8').trim().split('\n');
  return { command, received: () => lines().map((line) => JSON.parse(line) as AcpMessage) };
}
