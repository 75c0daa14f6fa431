import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliWire, cliBackend } from 'drivebay/testing';
import { valueAfter } from '../plugins/cli-harness';
import { repository } from '../setup/repository';
import { testDefects } from './spoilt-driver';

const CODES = { auth: 2, rejected: 3, rate_limited: 4, upstream: 1 };

/** The program of the driver that `plugins new --kind cli --plain` writes. */
const wire: CliWire = {
  options: (command) => ({ command }),
  answer: ({ pieces }) => pieces.map((text) => ({ stdout: text })),
  failure: ({ fault, message }) => [{ stderr: `${message}\n` }, { exit: CODES[fault] }],
  received: ({ argv, stdin }) => ({ texts: [stdin ?? ''], model: valueAfter(argv, '--model') }),
  cannot: {
    end: 'an answer is complete when the program ends with exit code 0',
    garbage: 'any output is an answer',
    usage: 'the program does not count tokens',
  },
};

const template = readFileSync(join(repository, 'docs/templates/cli-plain/index.js'), 'utf8');
const manifest = { kind: 'cli', options: { command: {}, extra_args: { default: [] } } };

testDefects(
  [
    ['takes any end of its program for an answer', 'failure.exit-code', 'if (code === 0) return', 'return'],
    [
      'estimates what it used',
      'answer.usage-none',
      'if (code === 0) return',
      "if (code === 0) yield { type: 'usage', inputTokens: 10, outputTokens: 10 }; if (code === 0) return",
    ],
    [
      'waits for whole lines',
      'answer.before-the-end',
      'const bytes of program.bytes()',
      'const bytes of (async function* () { for await (const line of program.lines()) yield Buffer.from(line); })()',
    ],
  ],
  template.replace('export default', 'module.exports ='),
  manifest,
  cliBackend(wire),
);
