import test from 'node:test';
import { cliBackend, conformanceCases } from 'drivebay/testing';

const REASONS = { auth: 'login', rejected: 'model', rate_limited: 'limit', upstream: 'other' };

// The program that the driver believes to be the real one: what it prints, and how it reads its arguments and input.
const backend = cliBackend({
  options: (command) => ({ command }),
  answer: ({ pieces, usage, finish }) => [
    ...pieces.map((text) => ({ text })),
    { usage: { input: usage.inputTokens, output: usage.outputTokens } },
    { finish },
  ],
  failure: ({ fault, message }) => [{ error: message, reason: REASONS[fault] }, { exit: 1 }],
  received: ({ argv, stdin }) => ({
    texts: [stdin],
    model: argv.includes('--model') ? argv[argv.indexOf('--model') + 1] : undefined,
  }),
  cannot: { reasoning: 'the program does not tell its reasoning' },
});

for (const { id, name, excluded, run } of conformanceCases({ directory: import.meta.dirname, backend })) {
  test(`${id}: ${name}`, { skip: excluded }, run);
}
