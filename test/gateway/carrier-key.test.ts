import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCarrierKey } from '../../core/gateway/carrier-key';
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
  expect(warnings).toEqual([expect.stringMatching(/carrier\.key cannot be kept: it is no key; remove it/)]);
  expect(existsSync(join(folder, 'carrier.key'))).toBe(true);
});
