/**
 * Drivers whose answers are written by the test: the intent, or the prompt of a device call, is the script as JSON, one
 * list of actions per step. Any other text is answered with `Hello`.
 *
 *   an event of the contract            is yielded as it is
 *   { fail: ['code', 'message', {}] }   throws context.error(...)
 *   { failOn: ['name', ...] }           the same, where the provider has that name
 *   { hang: true }                      waits for the signal, and throws its reason
 *   { meet: n }                         waits until n turns are at this action
 *   { tell: 'request' | 'workspace' | 'session' }  answers with it, as JSON
 *   { servers: true }                   says the tool servers for a program, and the tools that are not allowed
 *   { device: ['name', {}] }            calls a device as a program does, and says the names of all and the result
 *   { begin: ['name', {}] }             the same, and does not wait for the result
 *   { trace: ['event', {}] }            traces
 *   { log: ['level', 'message', {}] }   logs
 *   { sleepOn: ['name', 'file'] }       where the provider has that name: a silent program, its pid goes into the file
 *   { stubbornOn: ['name', 'file', ms] } the same with a program that ends only by force: it adds `!` when it is to end
 *   { program: true, graceMs: n }       runs a program that starts another one, says both pids, and waits for its end
 */
import type { TempHome } from '../setup/temp-home';

export type Action = Record<string, unknown>;

const CODE = `
'use strict';
const waiting = [];
let running = 0;
module.exports = (context) => ({
  async *chat(request, call) {
    running += 1;
    try {
      if (running > (context.options.most ?? Infinity)) throw new Error('too many at once');
      yield* play(request, call, context);
    } finally {
      running -= 1;
    }
  },
  async check() {},
  async metadata() { return context.options.facts ?? {}; },
});

async function devices(call, method, [name, args] = []) {
  const list = (await call.workspace.toolServers?.()) ?? [];
  const { reach } = list.find((server) => server.name === 'drivebay_devices');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name, arguments: args } });
  const response = await fetch(reach.url, { method: 'POST', headers: reach.headers, body });
  const text = await response.text();
  const { result } = JSON.parse(text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)[1]);
  return result.tools ? result.tools.map((tool) => tool.name) : result;
}

async function* play(request, call, context) {
  const prompt = request.messages.find(({ role }) => role === 'user').parts[0].text;
  const step = request.messages.filter(({ role }) => role === 'assistant').length;
  const script = prompt.startsWith('[') ? JSON.parse(prompt)[step] : undefined;
  for (const action of script ?? [{ type: 'text', text: 'Hello' }]) {
    if (action.type) yield action;
    else if (action.fail) throw context.error(...action.fail);
    else if (action.failOn) { if (action.failOn[0] === context.provider) throw context.error(...action.failOn.slice(1)); }
    else if (action.hang) await new Promise((_, reject) => call.signal.addEventListener('abort', () => reject(call.signal.reason)));
    else if (action.meet) await new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === action.meet) for (const go of waiting.splice(0)) go();
    });
    else if (action.tell) yield { type: 'text', text: JSON.stringify(action.tell === 'request' ? request : call[action.tell] ?? null) };
    else if (action.servers) {
      const list = (await call.workspace.toolServers?.()) ?? null;
      const told = list?.map(async (server) => ({ ...server, others: await server.others?.() }));
      yield { type: 'text', text: JSON.stringify(told ? await Promise.all(told) : null) };
    }
    else if (action.device) yield { type: 'text', text: JSON.stringify([await devices(call, 'tools/list'), await devices(call, 'tools/call', action.device)]) };
    else if (action.begin) devices(call, 'tools/call', action.begin).catch(() => undefined);
    else if (action.trace) call.trace(...action.trace);
    else if (action.log) call.log[action.log[0]](...action.log.slice(1));
    else if (action.sleepOn) {
      if (action.sleepOn[0] !== context.provider) continue;
      const program = await context.spawn(await context.resolveBinary('sleep'), ['60'], { signal: call.signal });
      require('node:fs').writeFileSync(action.sleepOn[1], String(program.pid));
      for await (const line of program.lines()) yield { type: 'text', text: line };
    }
    else if (action.stubbornOn) {
      const [name, file, graceMs] = action.stubbornOn;
      if (name !== context.provider) continue;
      const code = 'const { appendFileSync } = require("fs"); const [, file] = process.argv;' +
        'process.on("SIGTERM", () => appendFileSync(file, "!")); setInterval(() => {}, 1000); appendFileSync(file, String(process.pid))';
      const program = await context.spawn(await context.resolveBinary('node'), ['-e', code, file], { signal: call.signal, graceMs });
      for await (const line of program.lines()) yield { type: 'text', text: line };
    }
    else if (action.program) {
      const code = 'const c = require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "ignore" });' +
        'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(c.pid, process.pid)';
      const node = await context.resolveBinary('node');
      const program = await context.spawn(node, ['-e', code], { signal: call.signal, graceMs: action.graceMs ?? 300 });
      for await (const line of program.lines()) yield { type: 'text', text: line };
    }
  }
  yield { type: 'usage', inputTokens: 100, outputTokens: 10, cachedInputTokens: 40 };
  yield { type: 'finish', reason: 'stop' };
}
`;

const OPTIONS = { most: { type: 'integer' }, facts: { type: 'object' } };

/**
 * `talker` is an API with tools, `plain` one without, `worker` an agent CLI, `bundler` one that takes
 * folders of skills and tool servers.
 */
export function installAgents(home: TempHome): void {
  home.plugin('talker', {
    code: CODE,
    manifest: { options: { ...OPTIONS, reasoning_effort: {} }, capabilities: { tools: true } },
  });
  home.plugin('plain', { code: CODE, manifest: { options: OPTIONS } });
  home.plugin('worker', {
    code: CODE,
    manifest: {
      kind: 'cli',
      options: { ...OPTIONS, may_do: { type: 'string' } },
      permissionOptions: ['may_do'],
      actsWithoutAsking: { type: 'object', properties: { may_do: { const: 'all' } }, required: ['may_do'] },
    },
  });
  home.plugin('bundler', {
    code: CODE,
    manifest: { kind: 'cli', capabilities: { skillFolders: true, toolServers: true } },
  });
}

/** An intent that makes the model do these things, one list per step. */
export const script = (...steps: Action[][]): string => JSON.stringify(steps);

export const say = (text: string): Action => ({ type: 'text', text });

/** A tool call; several in a step count up by `index`. */
export function use(name: string, input: unknown, index = 0): Action {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { type: 'tool_call', index, id: `id-${index}`, name, arguments: text };
}
