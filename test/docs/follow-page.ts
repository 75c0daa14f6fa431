import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../setup/running-gateway';
import { repository } from '../setup/source-files';
import { readSteps, type Step, toPattern } from './read-steps';
import type { Terminal } from './terminal';

/** Does what a page of docs/ says, step by step, and expects what it shows. `change` adapts a script to the machine. */
export async function followPage(
  page: string,
  terminal: Terminal,
  change: (script: string) => string = (script) => script,
): Promise<void> {
  const [port, server] = await Promise.all([freePort(), freePort()]);
  const here = (text: string) => text.replaceAll('8080', String(port)).replaceAll('9000', String(server));
  const steps = readSteps(readFileSync(join(repository, page), 'utf8'));
  expect(steps.filter((step) => step.do === 'run' && step.output !== undefined).length).toBeGreaterThan(8);
  for (const step of steps) await follow(step);

  async function follow(step: Step): Promise<void> {
    if (step.do === 'write') return terminal.write(step.file, here(step.content));
    if (step.do === 'change') return terminal.change(step.file, step.from, step.to);
    const script = change(here(step.script)).replace(/^drivebay serve$/m, serve(port));
    const { code, output } = await terminal.run(script);
    const seen = `$ ${step.script}${output}`;
    if (step.output === undefined) expect([seen, code]).toEqual([seen, 0]);
    else if (!toPattern(here(step.output)).test(output.trim())) expect(seen).toBe(`$ ${step.script}${step.output}`);
  }
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
