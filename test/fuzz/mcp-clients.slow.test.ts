import { AgentHome } from '../setup/agent-home';
import { type LiveCli } from '../setup/live-cli';
import { until } from '../setup/until';
import { casesOf, expectNoStack, MANY } from './hold';
import { clientFrames } from './mcp-frames';

const AT_ONCE = 2_000;

const home = new AgentHome();
let cli: LiveCli;

afterAll(async () => {
  await cli.endInput().end();
});

test('whatever an MCP client writes, the server answers its next question', async () => {
  cli = home.live('mcp', 'serve');
  const frames = casesOf(clientFrames, MANY);
  for (let from = 0; from < frames.length; from += AT_ONCE) {
    const text = frames.slice(from, from + AT_ONCE).join('\n');
    cli.type(text).type(JSON.stringify({ jsonrpc: '2.0', id: `after ${from}`, method: 'ping' }));
    await until(() => cli.stdout.includes(`"id":"after ${from}"`));
    for (const line of cli.stdout.trim().split('\n')) checkAnswer(JSON.parse(line) as Record<string, unknown>);
    expectNoStack(cli.stderr);
    cli.stdout = cli.stderr = '';
  }
  expect(cli.child.exitCode).toBeNull();
});

/** A question of the server, an answer, or an error in words. */
function checkAnswer({ jsonrpc, id, method, result, error }: Record<string, unknown>): void {
  const isGood = jsonrpc === '2.0' && (method !== undefined || (id !== undefined && (result ?? error) !== undefined));
  if (!isGood) throw new Error(`no message of JSON-RPC: ${JSON.stringify({ id, result, error })}`);
  expectNoStack(JSON.stringify({ result, error }).replaceAll('\\n', '\n'));
}
