import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../setup/running-gateway';
import { repository } from '../setup/source-files';
import { TempHome } from '../setup/temp-home';
import { readSteps, type Step, toPattern } from './read-steps';
import { Terminal } from './terminal';

const home = new TempHome();
const terminal = new Terminal({
  home: home.directory,
  cwd: repository,
  env: home.environment({ npm_config_offline: 'true', npm_config_update_notifier: 'false' }),
});
afterAll(async () => {
  await terminal.close();
  home.remove();
});

/** CI does it. */
const RUN_ELSEWHERE = /^npm ci$/m;

const steps = readSteps(readFileSync(join(repository, 'docs/writing-a-driver.md'), 'utf8'));

test('whoever follows docs/writing-a-driver.md step by step sees what it says', async () => {
  const [gateway, server] = await Promise.all([freePort(), freePort()]);
  const here = (text: string) => text.replaceAll('8080', String(gateway)).replaceAll('9000', String(server));
  expect(steps.filter((step) => step.do === 'run' && step.output !== undefined).length).toBeGreaterThan(8);
  for (const step of steps) await follow(step, here, gateway);
}, 180_000);

async function follow(step: Step, here: (text: string) => string, port: number): Promise<void> {
  if (step.do === 'write') return terminal.write(step.file, here(step.content));
  if (step.do === 'change') return terminal.change(step.file, step.from, step.to);
  const script = here(step.script)
    .replace(RUN_ELSEWHERE, '')
    .replace(/^drivebay serve$/m, serve(port));
  const { code, output } = await terminal.run(script);
  const seen = `$ ${step.script}${output}`;
  if (step.output === undefined) expect([seen, code]).toEqual([seen, 0]);
  else if (!toPattern(here(step.output)).test(output.trim())) expect(seen).toBe(`$ ${step.script}${step.output}`);
}

/** The reader's other terminal: ends what ran there, starts it again, and waits until it listens. */
function serve(port: number): string {
  return [
    '[ -z "$SERVE" ] || { kill $SERVE; wait $SERVE; }',
    `drivebay serve --port ${port} > ~/serve.log 2>&1 &`,
    'SERVE=$!',
    `until curl -fs http://127.0.0.1:${port}/health > ~/health; do kill -0 $SERVE || { cat ~/serve.log; return 1; }; sleep 0.1; done`,
  ].join('\n');
}
