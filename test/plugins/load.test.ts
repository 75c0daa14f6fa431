import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asDriver, loadFactory } from '../../core/plugins/load';
import { COMMONJS } from '../setup/driver-code';
import { tempHome } from '../setup/temp-home';

// plugin-states.test.ts has the usual shapes and failures, and ES modules, with the real program: jest cannot `import()`.
const home = tempHome();

let count = 0;

/** A folder of its own per module: Node and jest remember what they have loaded. */
function folderWith(file: string, code: string): string {
  count += 1;
  home.write(`${count}/${file}`, code);
  return join(home.directory, String(count));
}

const load = (code: string, main = './index.js', file = 'index.js') => loadFactory(folderWith(file, code), main);

describe('the shapes that a factory may be exported in', () => {
  test.each([
    ['one level deeper, as some bundlers do', `exports.default = { __esModule: true, default: () => {} };`],
    ['as a function that also carries a default', `module.exports = () => {}; module.exports.default = 5;`],
  ])('%s', async (_, code) => {
    expect(typeof (await load(code))).toBe('function');
  });

  test.each(['./index', './index.js', './lib/../index.js', './'])('main may be written %j', async (main) => {
    expect(typeof (await load(COMMONJS, main))).toBe('function');
  });

  test('main may name a folder with an index, or a .cjs file', async () => {
    expect(typeof (await load(COMMONJS, './lib', 'lib/index.js'))).toBe('function');
    expect(typeof (await load(COMMONJS, './driver', 'driver.cjs'))).toBe('function');
  });

  test('a linked plug-in finds the modules beside its real folder', async () => {
    home.write('real/node_modules/needed/index.js', 'module.exports = 7;');
    home.write('real/plugin/index.js', `const needed = require('needed'); module.exports = () => needed;`);
    symlinkSync(join(home.directory, 'real/plugin'), join(home.directory, 'linked'));
    const factory = (await loadFactory(join(home.directory, 'linked'), './index.js')) as unknown as () => number;
    expect(factory()).toBe(7);
  });
});

describe('what cannot be loaded says why', () => {
  test.each([
    ['a text', 'module.exports = "driver";', 'as default, found string'],
    ['null', 'module.exports = null;', 'as default, found null'],
    [
      'a class',
      'module.exports = class Parrot { chat() {} };',
      'as default, found a class: export default (context) => new',
    ],
  ])('%s', async (_, code, message) => {
    await expect(load(code)).rejects.toThrow(message);
  });

  test('a package.json that is broken is named', async () => {
    const folder = folderWith('index.js', COMMONJS);
    home.write(`${count}/package.json`, '{');
    await expect(loadFactory(folder, './index.js')).rejects.toThrow(`${folder}/package.json cannot be read: `);
  });
});

describe('what a factory makes', () => {
  const chat = () => undefined;
  const check = () => undefined;

  test('is a driver when it has chat and check, inherited ones too', () => {
    class Driver {
      chat = chat;
      check() {}
    }
    const driver = new Driver();
    expect(asDriver(driver)).toBe(driver);
  });

  test.each([
    [null, 'chat and check, found null'],
    [{}, 'chat and check, found an empty object'],
    [{ chat }, 'with check, found an object with the keys chat'],
    [{ check, chat: true }, 'with chat, found an object with the keys check, chat'],
    [() => undefined, 'chat and check, found function'],
  ])('is not a driver when it is %j', (made, message) => {
    expect(() => asDriver(made)).toThrow(message);
  });
});
