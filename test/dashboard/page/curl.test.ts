import { execFileSync } from 'node:child_process';
import { curlFor } from '../../../core/dashboard/page/curl';
import type { DashboardState, ListenerRow } from '../../../core/dashboard/protocol';

const question = { project: '/p', provider: 'a', model: 'm', prompt: `It's "$HOME"\n\`id\` \\ %` };

function stateOf(...listeners: Partial<ListenerRow>[]): DashboardState {
  const whole = listeners.map((row) => ({ port: 1, project: '/p', serves: 'gateway', needsKey: false, ...row }));
  return { listeners: whole } as DashboardState;
}

/** The arguments as a shell takes them. */
function argumentsOf(command: string): string[] {
  return execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")], { encoding: 'utf8' }).split('\0');
}

test('a shell gives curl exactly the question', () => {
  const args = argumentsOf(curlFor(stateOf({ port: 4711 }), question, true)!);
  const body = { model: 'a:m', stream: true, messages: [{ role: 'user', content: question.prompt }] };
  expect(args).toContain('http://127.0.0.1:4711/v1/chat/completions');
  expect(JSON.parse(args.at(args.indexOf('-d') + 1)!)).toEqual(body);
});

test('the gateway is one of the project; one that demands a key is asked with a key', () => {
  const others = [{ project: null }, { serves: 'dashboard' } as const];
  expect(curlFor(stateOf(...others), question)).toBeUndefined();
  expect(curlFor(stateOf(...others, { port: 7 }), question)).toMatch(/:7\/v1\/(?!.*Authorization)/);
  expect(curlFor(stateOf({ needsKey: true }), question)).toContain("-H 'Authorization: Bearer ");
});
