import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../../core/contract/redact';
import type { Exchange } from '../../core/record/exchange';
import { ExchangeFile, recordInto } from '../../core/record/exchange-file';
import { FlightRecorder } from '../../core/record/flight-recorder';
import { readLines } from '../../core/record/read-lines';
import { tempFolder } from '../setup/temp-folder';

const KEY = 'sk-very-secret-0123456789';
const warnings: string[] = [];
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, error: quiet, warn: (message: string) => void warnings.push(message) };
const redactor = new Redactor();
redactor.add(KEY);
const recorder = new FlightRecorder();

function ended(id: string, text = 'a private answer'): Exchange {
  const head = {
    id,
    kind: 'chat',
    dialect: 'd',
    path: '/p',
    client: undefined,
    agent: KEY,
    arrivedAt: 1,
    startedMs: 1,
  };
  const exchange = recorder.begin(head);
  exchange.noteBody(Buffer.from(JSON.stringify({ prompt: `a private question, ${KEY}` })), 2);
  exchange.open('p', 'd').fail({ kind: 'upstream', message: 'a private message' });
  exchange.take({ type: 'text', text });
  const used = { costUsd: 0 };
  const rest = { status: 200, ms: 1, overheadMs: 1, provider: 'p', route: undefined, error: 'private' };
  exchange.end = { ...rest, used };
  return exchange;
}

async function idsIn(file: string): Promise<string[]> {
  const ids = [];
  for await (const line of readLines(file, (text) => text !== '')) if (line) ids.push((line as { id: string }).id);
  return ids;
}

test('a line for each request, for the user alone, without prompt, answer, message and key', async () => {
  const folder = join(tempFolder(), 'new');
  const file = recordInto({ folder, withContent: false }, redactor, log)(8080);
  for (const id of ['a', 'b']) file.add(ended(id));
  await file.flush();
  const path = join(folder, 'gateway-8080.ndjson');
  const text = readFileSync(path, 'utf8');
  expect(await idsIn(path)).toEqual(['a', 'b']);
  expect([text.includes('private'), text.includes('sk-'), text.includes('"failure":"upstream"')]).toEqual([
    false,
    false,
    true,
  ]);
  expect([statSync(path).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('with content the line has prompt and answer, and still no key', async () => {
  const folder = tempFolder();
  const file = recordInto({ folder, withContent: true }, redactor, log)(1);
  file.add(ended('a', `the key is ${KEY}`));
  await file.flush();
  const text = readFileSync(join(folder, 'gateway-1.ndjson'), 'utf8');
  expect(text).toContain('a private question, [redacted]');
  expect(text).toContain('the key is [redacted]');
  expect(text).not.toContain(KEY);
});

test('half a line of a killed gateway takes nothing with it, and a full file takes the place of the one before', async () => {
  const folder = tempFolder();
  const path = join(folder, 'gateway-2.ndjson');
  appendFileSync(path, '{"id":"torn","ki');
  const file = new ExchangeFile(2, { folder, withContent: false }, redactor, log, 2_000);
  for (let at = 0; at < 40; at += 1) {
    file.add(ended(String(at)));
    await file.flush();
  }
  expect(readdirSync(folder)).toContain('gateway-2.1.ndjson');
  const kept = [...(await idsIn(join(folder, 'gateway-2.1.ndjson'))), ...(await idsIn(path).catch(() => []))];
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => String(40 - kept.length + at)));
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(3_000);
});

test('a folder that cannot be made is refused, and one that cannot be written is told once', async () => {
  const folder = tempFolder();
  const inTheWay = join(folder, 'file');
  writeFileSync(inTheWay, '');
  expect(() => recordInto({ folder: join(inTheWay, 'x'), withContent: false }, redactor, log)).toThrow(
    /^requests cannot be recorded in \S+: a file, or a link that leads nowhere, is in its way$/,
  );
  warnings.length = 0;
  const file = new ExchangeFile(3, { folder: inTheWay, withContent: false }, redactor, log);
  for (const id of ['a', 'b']) file.add(ended(id));
  await file.flush();
  expect(warnings).toEqual([expect.stringMatching(/^requests cannot be recorded in \S+: ENOTDIR.*--record <folder>$/)]);
});

test('a pipe, a folder and a link in place of the file are told, and keep no gateway from its end', async () => {
  const folder = tempFolder();
  const other = join(folder, 'other');
  writeFileSync(other, '', { mode: 0o644 });
  const placed: ((path: string) => void)[] = [
    (path) => execFileSync('mkfifo', [path]),
    (path) => mkdirSync(path),
    (path) => symlinkSync(other, path),
  ];
  for (const [port, place] of placed.entries()) {
    const path = join(folder, `gateway-${port}.ndjson`);
    place(path);
    warnings.length = 0;
    const file = new ExchangeFile(port, { folder, withContent: false }, redactor, log);
    file.add(ended('a'));
    await file.flush();
    expect(warnings).toEqual([
      `requests cannot be recorded in ${folder}: ${path} exists and is not a regular file; open the gateway with another folder: serve --record <folder>`,
    ]);
  }
  expect(readFileSync(other, 'utf8')).toBe('');
});

test('a file that others could read is for the user alone from then on, in a folder that is a link', async () => {
  const folder = tempFolder();
  const link = join(tempFolder(), 'link');
  symlinkSync(folder, link);
  const path = join(folder, 'gateway-9.ndjson');
  writeFileSync(path, '', { mode: 0o644 });
  const file = recordInto({ folder: link, withContent: false }, redactor, log)(9);
  file.add(ended('a'));
  await file.flush();
  expect([await idsIn(path), statSync(path).mode & 0o777]).toEqual([['a'], 0o600]);
});
