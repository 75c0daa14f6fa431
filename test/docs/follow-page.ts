import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiveCli } from '../setup/live-cli';
import { freePort } from '../setup/running-gateway';
import { repository } from '../setup/repository';
import type { TempHome } from '../setup/temp-home';
import { readSteps, type Step, toPattern } from './read-steps';

interface Reader {
  home: TempHome;
  cwd: string;
  env: Record<string, string>;
  /** Adapts a script to the machine. */
  adapt?: (script: string) => string;
}

/** Replaces a part of a file, which has to be there. */
const CHANGE = `const { readFileSync, writeFileSync } = require('node:fs');
  const [file, ...parts] = process.argv.slice(2);
  const [from, to] = parts.map((part) => readFileSync(part, 'utf8'));
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(file + ' has no such part: ' + from);
  writeFileSync(file, text.replace(from, () => to));`;

/** Does what a page of docs/ says, step by step, and expects what it shows. */
export async function followPage(page: string, { home, cwd, env, adapt = (script) => script }: Reader): Promise<void> {
  const [port, server] = await Promise.all([freePort(), freePort()]);
  const here = (text: string) => text.replaceAll('8080', String(port)).replaceAll('9000', String(server));
  const steps = readSteps(readFileSync(join(repository, page), 'utf8'));
  const outputOf = (index: number) => join(home.directory, `steps/${index}.output`);
  const change = home.write('steps/change.cjs', CHANGE);

  /** The step as a reader's shell does it. A script whose output the page does not show has to succeed. */
  const lineFor = (step: Step, index: number): string => {
    const write = (name: string, text: string) => `'${home.write(`steps/${index}.${name}`, here(text))}'`;
    if (step.do === 'write')
      return `mkdir -p "$(dirname ${step.file})" && cp ${write('file', step.content)} ${step.file}`;
    if (step.do === 'change')
      return `node '${change}' ${step.file} ${write('from', step.from)} ${write('to', step.to)} || exit`;
    const script = write('sh', adapt(step.script).replace(/^drivebay serve$/m, SERVE));
    const line = `. ${script} < /dev/null > '${outputOf(index)}' 2>&1`;
    return step.output === undefined ? `${line} || { cat '${outputOf(index)}' >&2; exit 1; }` : line;
  };

  // One shell does all steps, so that variables, functions and the working directory stay.
  const script = home.write('steps/all.sh', ["trap 'kill $(jobs -p)' EXIT", ...steps.map(lineFor)].join('\n'));
  const bash = new LiveCli([script], { env, cwd }, ['bash', '--norc', '-O', 'expand_aliases']);
  const { code, stderr } = await bash.endInput().end();
  const shown = steps.flatMap((step, index) =>
    step.do === 'run' && step.output !== undefined ? [{ ...step, output: step.output, file: outputOf(index) }] : [],
  );
  expect(shown.length).toBeGreaterThan(8);
  for (const { script: typed, output, file } of shown.filter(({ file }) => existsSync(file))) {
    const seen = readFileSync(file, 'utf8');
    if (!toPattern(here(output)).test(seen.trim())) expect(`$ ${typed}${seen}`).toBe(`$ ${typed}${output}`);
  }
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

/** The reader's other terminal: ends what ran there, starts it again, and waits until it listens. */
const SERVE = `[ -z "$SERVE" ] || { kill $SERVE; wait $SERVE; }
drivebay serve --port 8080 > ~/serve.log 2>&1 &
SERVE=$!
until curl -fs http://127.0.0.1:8080/health > ~/health; do kill -0 $SERVE || { cat ~/serve.log; return 1; }; sleep 0.1; done`;
