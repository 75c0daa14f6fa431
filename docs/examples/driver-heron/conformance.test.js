import test from 'node:test';
import { cliBackend, conformanceCases } from 'drivebay/testing';

const REASONS = { auth: 'login', rejected: 'model', rate_limited: 'limit', upstream: 'other' };

const textsOf = (parts) =>
  parts.flatMap(({ text, content }) => (content ? textsOf(content) : text === undefined ? [] : [text]));

const backend = cliBackend({
  options: (command) => ({ command }),
  // Each line of the input is a chat, and `play` has the answer to it. `received` then finds it in the lines of the run.
  converse: (play) => ({ isOne: () => true, answer: (_line, run) => play(run) }),
  answer: ({ pieces, usage, finish, toolCalls = [] }) => [
    ...pieces.map((text) => ({ text })),
    ...toolCalls.map(({ id, name, arguments: text }, index) => ({ call: { index, id, name, arguments: text } })),
    { usage: { input: usage.inputTokens, output: usage.outputTokens } },
    { finish },
  ],
  failure: ({ fault, message }) => [{ error: message, reason: REASONS[fault] }],
  received: ({ argv, lines }) => {
    const { messages, tools } = JSON.parse(lines.at(-1));
    return {
      texts: messages.flatMap(({ parts }) => textsOf(parts)),
      tools: tools?.map(({ name }) => name),
      model: argv.includes('--model') ? argv[argv.indexOf('--model') + 1] : undefined,
    };
  },
  cannot: { reasoning: 'the program does not tell its reasoning', signatures: 'the program signs nothing' },
});

for (const keeps of [false, true]) {
  const options = { warm: keeps };
  for (const { id, name, excluded, run } of conformanceCases({
    directory: import.meta.dirname,
    backend,
    keeps,
    options,
  })) {
    test(`${keeps ? 'warm' : 'cold'} ${id}: ${name}`, { skip: excluded }, run);
  }
}
