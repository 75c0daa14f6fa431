import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/errors';
import { placeIn } from '../../core/plugins/place-in';
import { tempHome } from '../setup/temp-home';
import { cpuTime } from '../setup/cpu-time';

const home = tempHome();
home.write(
  'driver (1)/index.js',
  "const other = require('./lib/other.js');\nexports.fail = (how) => other.fail(how);\n",
);
home.write(
  'driver (1)/lib/other.js',
  "exports.fail = (how) => {\n  if (how === 'deep') require('sdk').fail();\n  throw new Error('x');\n};\n",
);
home.write('driver (1)/node_modules/sdk/index.js', "exports.fail = () => { throw new Error('deep'); };\n");
home.write(
  'driver (1)/module.mjs',
  "try { await Promise.reject(new Error('x')); } catch {}\ntry { null.x; } catch (error) { console.log(error.stack); }\n",
);
const folder = join(home.directory, 'driver (1)');

function thrown(how: string): unknown {
  try {
    (require(folder) as { fail: (how: string) => void }).fail(how);
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

test('the place is the innermost one in the folder', () => {
  expect(placeIn(folder, thrown('here'))).toBe('lib/other.js:3:9');
});

test('of a package that the folder holds, the place is the call', () => {
  expect(placeIn(folder, thrown('deep'))).toMatch(/^lib\/other\.js:2:\d+$/);
});

test('an ES module, and a folder behind a link, are known', () => {
  const stack = execFileSync(process.execPath, [join(folder, 'module.mjs')], { encoding: 'utf8' });
  symlinkSync(folder, join(home.directory, 'linked'));
  expect(placeIn(join(home.directory, 'linked'), { stack })).toMatch(/^module\.mjs:2:\d+$/);
});

const LONG = `${'(/'.repeat(50_000)} at /x`;
const trap = () => {
  throw new Error('trap');
};

test.each<[string, unknown]>([
  [
    'whose getters throw',
    {
      get stack() {
        return trap();
      },
    },
  ],
  ['that is a proxy', new Proxy({}, { get: trap, has: trap })],
  ['without a text', Object.create(null)],
  ['with a wrong URL', { stack: 'Error\n    at f (file:///%zz/a.js:1:2)' }],
  ['with a page as its message', new Error(LONG)],
])('an error %s ends nothing, and takes no time', (_, error) => {
  const used = cpuTime();
  expect(placeIn(folder, error)).toBeUndefined();
  expect(typeof messageOf(error)).toBe('string');
  expect(used()).toBeLessThan(1000);
});

test.each([['a text'], [undefined], [{ stack: 1 }], [new Error('from elsewhere')]])('%p has no place', (error) => {
  expect(placeIn(folder, error)).toBeUndefined();
});
