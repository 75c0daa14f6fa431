import test from 'node:test';
import { conformanceCases, httpBackend, json, sse } from 'drivebay/testing';

// The server that the driver believes to be the real one: how it spells answers and failures, and reads requests.
const backend = httpBackend({
  options: (url) => ({ base_url: url }),
  probe: ({ path }) => (path === '/models' ? json([]) : undefined),
  answer: ({ pieces, usage, finish }) =>
    sse([
      ...pieces.map((text) => ({ text })),
      { usage: { input: usage.inputTokens, output: usage.outputTokens } },
      { finish },
    ]),
  failure: ({ status, message }) => json({ error: { message } }, { status }),
  received: ({ body, headers }) => ({
    model: body.model,
    texts: body.messages.map(({ content }) => content),
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    key: headers.authorization?.replace('Bearer ', ''),
  }),
  cannot: { reasoning: 'the server does not tell its reasoning' },
});

for (const { id, name, excluded, run } of conformanceCases({ directory: import.meta.dirname, backend })) {
  test(`${id}: ${name}`, { skip: excluded }, run);
}
