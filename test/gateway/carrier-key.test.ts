import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { readCarrierKey } from '../../core/gateway/carrier-key';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';

const warnings: string[] = [];
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, error: quiet, warn: (message: string) => void warnings.push(message) };
const folder = tempFolder();

test('the key is made once, is kept, and is for this user only', () => {
  const state = join(folder, 'new', 'state');
  const key = readCarrierKey(state, log);
  expect(key).toHaveLength(32);
  expect(readCarrierKey(state, log)).toEqual(key);
  expect(statSync(join(state, 'carrier.key')).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
});

test('without a state folder it is of the gateway alone', () => {
  expect(readCarrierKey(undefined, log)).not.toEqual(readCarrierKey(undefined, log));
});

test('a file that is no key stays, and is told', () => {
  writeFileSync(join(folder, 'carrier.key'), 'short');
  expect(readCarrierKey(folder, log)).toHaveLength(32);
  expect(warnings).toEqual([expect.stringMatching(/carrier\.key cannot be kept: it is not a key; remove it/)]);
  expect(existsSync(join(folder, 'carrier.key'))).toBe(true);
});

/** Makes the key, and is killed before its n-th work on a file. */
const KILLED = `
  const fs = require('node:fs');
  let left = Number(process.argv[3]);
  for (const name of ['openSync', 'writeSync', 'closeSync', 'linkSync', 'renameSync', 'rmSync']) {
    const work = fs[name];
    fs[name] = (...given) => {
      if (--left === 0) process.kill(process.pid, 'SIGKILL');
      return work(...given);
    };
  }
  const { readCarrierKey } = require('./core/gateway/carrier-key');
  const none = () => undefined;
  readCarrierKey(process.argv[2], { debug: none, info: none, warn: none, error: none });
`;

test('wherever the first start is killed, the next one has a whole key and no warning, and nothing is left of it', () => {
  const program = join(folder, 'killed.js');
  const stdin = { contents: KILLED, resolveDir: repository };
  buildSync({ stdin, bundle: true, platform: 'node', outfile: program, logLevel: 'silent' });
  warnings.length = 0;
  let steps = 1;
  for (; ; steps += 1) {
    const state = join(folder, `killed-${steps}`);
    mkdirSync(state);
    const { signal } = spawnSync(process.execPath, [program, state, String(steps)]);
    for (const name of readdirSync(state).filter((each) => each !== 'carrier.key')) utimesSync(join(state, name), 1, 1);
    const key = readCarrierKey(state, log);
    expect([readCarrierKey(state, log).equals(key), warnings]).toEqual([true, []]);
    expect(readdirSync(state)).toEqual(['carrier.key']);
    if (signal === null) break;
    expect(signal).toBe('SIGKILL');
  }
  expect(steps).toBeGreaterThan(4);
});
