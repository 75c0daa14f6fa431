import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AcpMessage } from './acp';

/** How long after the answer Qwen Code asks a server of a session for its tools, or longer. */
const ASKS_LATE_MS = 300;

/**
 * Plays Gemini CLI and Qwen Code with `--acp` as their recordings do: they reach the tools of a session by themselves. Qwen Code
 * does so after it has said that the session is there, announces all calls of a message at once, and each again when it makes it.
 */
const SOURCE = `#!${process.execPath}
const { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const [, file] = process.argv;
const isQwen = file.endsWith('qwen');
const sessions = new Map();
// It lies in its home folder.
const own = require('node:path').dirname(file) + '/.gemini/';
let made = 0;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const update = (sessionId, fields) => send({ method: 'session/update', params: { sessionId, update: fields } });
const says = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

async function post([{ url, headers }], method, params, signal) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const own = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return (await fetch(url, { method: 'POST', headers: own, body, signal })).text();
}

async function listTools(session) {
  if (session.mcpServers.length === 0) return;
  session.listing = post(session.mcpServers, 'tools/list');
  session.tools = JSON.parse(await session.listing).result.tools;
}

async function begin(id, sessionId, mcpServers, result) {
  const session = { mcpServers };
  sessions.set(sessionId, session);
  if (!isQwen) await listTools(session);
  send({ id, result });
  if (isQwen) setTimeout(() => listTools(session), ${ASKS_LATE_MS});
}

// Gemini CLI does so, and then finds that it is no object.
const readJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

async function callTool({ mcpServers, tools, abort }, city) {
  const args = { city, ...(!isQwen && { wait_for_previous: true }) };
  const params = { name: tools[0].name, arguments: args };
  const answer = await post(mcpServers, 'tools/call', params, abort.signal);
  const { content, structuredContent = isQwen ? {} : readJson(content[0].text) } = JSON.parse(answer.split('data: ')[1]).result;
  return structuredContent instanceof Object && !Array.isArray(structuredContent)
    ? content.map(({ text }) => text).join()
    : 'expected record';
}

async function prompt(id, { sessionId, prompt: [{ text }] }) {
  const session = sessions.get(sessionId);
  session.abort = new AbortController();
  let stopReason = 'end_turn';
  // The tools may be on their way: the prompt comes by another one. Where nothing has asked for them, there are none.
  await session.listing;
  if (text === 'Give up') {
    for (const other of sessions.values()) if (other !== session) other.abort?.abort();
    await new Promise(setImmediate);
  }
  try {
    if (session.heard) says(sessionId, session.heard);
    else if (!/^Weather/.test(text)) says(sessionId, text + '!');
    else {
      says(sessionId, 'Let me look.');
      let heard = '';
      const cities = text.split(' ').slice(1);
      if (isQwen) {
        for (const city of cities) update(sessionId, { sessionUpdate: 'tool_call', status: 'pending', _meta: { phase: 'preparing' } });
        const _meta = { usage: { inputTokens: 10, outputTokens: 2 } };
        update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '' }, _meta });
      }
      for (const city of cities) {
        update(sessionId, { sessionUpdate: isQwen ? 'tool_call_update' : 'tool_call', status: 'in_progress' });
        heard += await callTool(session, city);
      }
      says(sessionId, heard);
    }
  } catch {
    stopReason = 'cancelled';
  }
  send({ id, result: { stopReason, _meta: { quota: { token_count: { input_tokens: 10, output_tokens: 2 } } } } });
}

/** What the tools said, by the file of the session. */
function resultsIn(sessionId) {
  const chats = own + 'tmp/warm/chats/';
  const name = readdirSync(chats).find((each) => each.includes(sessionId.slice(0, 8)));
  const outputs = readFileSync(chats + name, 'utf8').match(/"output":"[^"]*"/g) || [];
  return outputs.map((output) => output.slice(10, -1)).join('');
}

const methods = {
  initialize(id) {
    mkdirSync(own, { recursive: true });
    writeFileSync(own + 'projects.json', JSON.stringify({ projects: { [process.cwd()]: 'warm' } }));
    send({ id, result: { protocolVersion: 1 } });
  },
  'session/new'(id, { mcpServers }) {
    const sessionId = 's' + (made += 1);
    begin(id, sessionId, mcpServers, { sessionId });
  },
  async 'session/load'(id, { sessionId, mcpServers }) {
    const heard = isQwen ? undefined : resultsIn(sessionId);
    await begin(id, sessionId, mcpServers, {});
    sessions.get(sessionId).heard = heard;
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

/** Writes the program into a folder, with a package that says its version. A prompt that begins with "Weather" makes it call a tool for each further word, and "Give up" end all turns that wait. */
export function toolCallingProgram(
  folder: string,
  name: 'gemini' | 'qwen' = 'gemini',
): { command: string; received: () => AcpMessage[]; processes: () => number[] } {
  const command = join(folder, name);
  writeFileSync(command, SOURCE);
  chmodSync(command, 0o755);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.24.4' }));
  const lines = (): string[] => readFileSync(`${command}.log`, 'utf8').trim().split('\n');
  return {
    command,
    received: () => lines().map((line) => JSON.parse(line) as AcpMessage),
    processes: () => {
      const all = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
      return all.filter((line) => line.includes(command)).map((line) => Number.parseInt(line, 10));
    },
  };
}
