import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../core/package';
import { explainPart, ProgramGone } from '../core/program-gone';
import { tempHome } from './setup/temp-home';

const home = tempHome();
const PROGRAM = join(packageRoot, 'dist/cli.js');

/** As `require` throws it where a file wants a package that is not there. */
function missing(name: string, ...requireStack: string[]): Error {
  const text = `Cannot find module '${name}'\nRequire stack:\n- ${requireStack.join('\n- ')}`;
  return Object.assign(new Error(text), { code: 'MODULE_NOT_FOUND', requireStack });
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const isGone = (error: unknown) => explainPart(error) instanceof ProgramGone;

test.each([
  ['a part', missing('./chunk-1.js', PROGRAM)],
  ['a package', missing('commander', PROGRAM)],
  [
    'a part, which a plug-in wants',
    missing(join(packageRoot, 'dist/sdk/plugin.js'), '/home/me/plug-in/index.js', PROGRAM),
  ],
  ['a file', thrownBy(() => readFileSync(join(packageRoot, 'dist/none/page.html')))],
  ['a part, as the cause of an error', new Error('the page cannot be made', { cause: missing('./page.js', PROGRAM) })],
])('the program that misses %s is gone', (_, error) => {
  expect(isGone(error)).toBe(true);
});

test.each([
  ['a plug-in that misses a package', missing('sdk', '/home/me/plug-in/index.js', PROGRAM)],
  ['the same inside of a clone of the program', missing('sdk', join(packageRoot, 'mine/index.js'), PROGRAM)],
  ['a file of a project there', thrownBy(() => readFileSync(join(packageRoot, '.drivebay/none.yaml')))],
  ['a real plug-in', thrownBy(() => require(home.write('plug-in/index.js', `require('not-there');`)) as unknown)],
  ['a file that may not be read', Object.assign(new Error('no'), { code: 'EACCES', path: PROGRAM })],
  ['nothing', undefined],
])('%s says nothing about the program', (_, error) => {
  expect(isGone(error)).toBe(false);
});
