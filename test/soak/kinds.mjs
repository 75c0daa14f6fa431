import { DOORS, readStream } from './doors.mjs';
import { questionOf, readPieces } from './marks.mjs';
import { send } from './send.mjs';
import { leaveAgent, runAgent, runCommand } from './agents.mjs';

/** What a client asks for, again and again. Each resolves with what is wrong, or with nothing; a client that left says so. */
const ask = (client, { path, headers }, body, onText) =>
  send({ port: client.port, agent: client.agent, path, headers, body, leaveAfterMs: client.leaveAfterMs }, onText);

const isGood = ({ status, text }) => (status === 200 ? undefined : `${status}: ${text.slice(0, 300)}`);

function whole(door, model, pieces) {
  return async (client, mark) => {
    const answer = await ask(client, DOORS[door], { model, ...DOORS[door].body(mark.name) });
    return isGood(answer) ?? take(mark, readPieces(mark.name, answer.text, pieces));
  };
}

function stream(door, model, pieces) {
  return async (client, mark) => {
    const answer = await ask(client, DOORS[door], { model, stream: true, ...DOORS[door].body(mark.name) });
    const { text, isWhole } = readStream(DOORS[door], answer.text);
    if (answer.status === 200 && !isWhole && client.mayBreak?.(mark, answer.text)) return 'broken';
    if (answer.status === 200 && !isWhole) return `a stream without its end: ${answer.text.slice(-300)}`;
    return isGood(answer) ?? take(mark, readPieces(mark.name, text, pieces));
  };
}

/** A client that leaves in the middle of an answer. */
function leave(door, isStream) {
  return async (client, mark) => {
    const patient = { ...client, leaveAfterMs: 20 + Math.random() * 300 };
    const body = { model: 'main:slow', stream: isStream, ...DOORS[door].body(mark.name) };
    const { left, status, text } = await ask(patient, DOORS[door], body);
    return left ? 'left' : `an answer before it was due: ${status} ${text.slice(0, 200)}`;
  };
}

/** A client with a tool: the model calls it, and answers when it has the result. */
function loop(door) {
  const { conversation, callIn } = DOORS[door];
  return async (client, mark) => {
    const asked = await ask(client, DOORS[door], { model: 'main', ...conversation(mark.name) });
    const bad = isGood(asked);
    if (bad) return bad;
    const call = callIn(JSON.parse(asked.text));
    if (!call) return `an answer without a call of the tool: ${asked.text.slice(0, 300)}`;
    const answer = await ask(client, DOORS[door], { model: 'main', ...conversation(mark.name, call) });
    return isGood(answer) ?? take(mark, readPieces(mark.name, answer.text));
  };
}

async function embed(client, mark) {
  const body = { model: 'main', input: questionOf(mark.name) };
  const answer = await ask(client, { path: '/v1/embeddings' }, body);
  const bad = isGood(answer);
  if (bad) return bad;
  const { data, usage } = JSON.parse(answer.text);
  const isRight = data?.length === 1 && data[0].embedding.length === 2;
  return take(mark, { number: usage.prompt_tokens, fault: isRight ? undefined : `no embedding: ${answer.text}` });
}

function take(mark, { number, fault }) {
  mark.number = number;
  return fault;
}

const AGENT_PIECES = 1;
const twice = { least: 2, most: 2 };
const byRoute = { least: 1, most: 2 };

/** Each: how it asks, how many clients of it a house has, how long they rest, and how often backends may be asked then. */
export const KINDS = {
  chat: { ask: whole('chat', 'main'), clients: 4 },
  'chat stream': { ask: stream('chat', 'main'), clients: 4 },
  messages: { ask: whole('messages', 'main'), clients: 2 },
  'messages stream': { ask: stream('messages', 'main'), clients: 2 },
  responses: { ask: whole('responses', 'main'), clients: 2 },
  'responses stream': { ask: stream('responses', 'main'), clients: 2 },
  embeddings: { ask: embed, clients: 2 },
  sdk: { ask: whole('messages', 'sdk'), clients: 1 },
  'sdk stream': { ask: stream('chat', 'sdk'), clients: 1 },
  route: { ask: whole('chat', 'smart'), clients: 2, asks: byRoute },
  'route stream': { ask: stream('messages', 'smart'), clients: 2, asks: byRoute, mayBreak: true },
  cancel: { ask: leave('chat', false), clients: 1, asks: { least: 0, most: 1 } },
  'cancelled stream': { ask: leave('responses', true), clients: 2, asks: { least: 0, most: 1 } },
  'tool loop of chat': { ask: loop('chat'), clients: 1, asks: twice },
  'tool loop of messages': { ask: loop('messages'), clients: 1, asks: twice },
  'tool loop of responses': { ask: loop('responses'), clients: 1, asks: twice },
  'agent CLI at the gateway': { ask: stream('chat', 'agent', AGENT_PIECES), clients: 1, restMs: 1_000 },
  'agent behind an API': { ask: runAgent('main'), clients: 1, restMs: 1_000, asks: { least: 3, most: 3 } },
  'agent CLI': { ask: runAgent('agent', AGENT_PIECES), clients: 2, restMs: 500 },
  'cancelled agent CLI': { ask: leaveAgent('agent'), clients: 2, restMs: 500, asks: { least: 0, most: 1 } },
  'drivebay run': { ask: runCommand('agent', AGENT_PIECES), clients: 1, restMs: 10_000 },
};
