'use strict';
const test = require('node:test');
const { conformanceCases } = require('drivebay/testing');

const NONE = 'the driver has no backend';
// prettier-ignore
const ABILITIES = [
  'received', 'hold', 'bytes', 'usage', 'length', 'empty', 'reasoning', 'toolCalls', 'signatures', 'embeddings',
  'auth', 'rejected', 'rate_limited', 'upstream', 'absent', 'garbage', 'cut',
];

/** @type {import('drivebay/testing').Backend} */
const backend = {
  cannot: Object.fromEntries(ABILITIES.map((ability) => [ability, NONE])),
  async start() {
    const running = {
      options: {},
      // An answer has the text of the question by itself. An answer that stays away is one that takes a minute for each word.
      async script(next) {
        running.options = next.type === 'hang' ? { delay_ms: 60_000 } : {};
      },
      received: () => [],
      atWork: () => [],
      open: () => [],
      async close() {},
    };
    return running;
  },
};

for (const { id, name, excluded, run } of conformanceCases({ directory: __dirname, backend })) {
  test(`${id}: ${name}`, { skip: excluded }, run);
}
