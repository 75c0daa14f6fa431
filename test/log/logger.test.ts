import { Redactor } from '../../core/contract/redact';
import type { LogFormat, LogLevel } from '../../core/log/log-options';
import { createLogger } from '../../core/log/logger';

let written: string[];
beforeEach(() => (written = []));

function open(format: LogFormat, level: LogLevel = 'debug', redactor = new Redactor()) {
  return createLogger({ level, format, redactor, write: (text) => void written.push(text) });
}

const circular: Record<string, unknown> = { name: 'loop' };
circular.self = circular;

describe('a line of text', () => {
  test.each<[string, unknown, string]>([
    ['a word', 'main', ' key=main'],
    ['a text with a space', 'two words', ' key="two words"'],
    ['a text with a line break', 'one\ntwo', String.raw` key="one\ntwo"`],
    ['a number', 1.5, ' key=1.5'],
    ['null', null, ' key=null'],
    ['a list', ['a', 1], ' key=["a",1]'],
    ['an absent value', undefined, ''],
    ['a function', () => 1, ''],
    ['a BigInt', 12n, ' key=12'],
    ['a circular value', circular, ' key={"name":"loop","self":"[Circular]"}'],
  ])('has a field with %s', (_, value, expected) => {
    const log = open('text');
    log.warn('it\u001b[2J happened', { key: value });
    log.flush();
    expect(written).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d warn {2}it \[2J happened/)]);
    expect(written[0]?.split('happened')[1]).toBe(`${expected}\n`);
  });

  test('has the message of an error', () => {
    const log = open('text');
    log.error('failed', { reason: new Error('no beak') });
    log.flush();
    expect(written[0]).toContain('"message":"no beak"');
    expect(written[0]?.match(/\n/g)).toHaveLength(1);
  });
});

test('a line of JSON has level, time, fields of any value, and message', () => {
  const log = open('json');
  log.info('hello', { n: 1, big: 12n, circular, absent: undefined });
  log.flush();
  const { time, ...line } = JSON.parse(written[0] ?? '') as Record<string, unknown>;
  expect(Date.parse(String(time))).toBeGreaterThan(0);
  expect(line).toEqual({
    level: 'info',
    n: 1,
    big: 12,
    circular: { name: 'loop', self: '[Circular]' },
    msg: 'hello',
  });
});

test.each<[LogLevel, string[]]>([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['silent', []],
])('the level %s lets through %j', (level, expected) => {
  const log = open('json', level);
  for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]('x');
  log.flush();
  const lines = written.join('').split('\n').filter(Boolean);
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected);
});

test('lines are gathered for a moment, and keys are taken out of them', async () => {
  const redactor = new Redactor();
  redactor.add('a-secret-key');
  const all = new Promise<string>((resolve) => {
    const log = createLogger({ level: 'info', format: 'text', redactor, write: resolve });
    log.info('one', { key: 'a-secret-key' });
    log.info('two');
  });
  expect(await all).toMatch(/^.* one key=(?!a-secret-key).*\n.* two\n$/);
});
