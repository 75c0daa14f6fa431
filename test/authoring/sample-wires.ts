import { type CliWire, type HttpWire, json, lines, raw, type ScriptedAnswer } from 'drivebay/testing';

const linesOf = ({ pieces, usage, finish }: ScriptedAnswer): object[] => [
  ...pieces.map((text) => ({ text })),
  { usage: [usage.inputTokens, usage.outputTokens] },
  { end: finish },
];

const CANNOT = {
  reasoning: 'the sample knows no reasoning',
  toolCalls: 'the sample knows no tools',
  signatures: 'the sample knows no tools',
};

/** How the server of the sample HTTP driver speaks. */
export const sampleHttpWire: HttpWire = {
  cannot: CANNOT,
  options: (url) => ({ base_url: url }),
  probe: ({ path }) => (path === '/health' ? raw(['ok']) : undefined),
  answer: (answer) => lines(linesOf(answer)),
  failure: ({ status, message }) => json({ error: { message } }, { status }),
  received: ({ body, headers }) => ({ ...body, key: headers.authorization?.replace('Bearer ', '') }),
};

/** How the program of the sample CLI driver speaks. */
export const sampleCliWire: CliWire = {
  cannot: CANNOT,
  options: (command) => ({ command }),
  answer: linesOf,
  failure: ({ fault, message }) => [{ error: message, fault }, { exit: 1 }],
  received: ({ argv, stdin }) => ({
    texts: JSON.parse(stdin ?? '') as string[],
    model: argv.includes('--model') ? argv[argv.indexOf('--model') + 1] : undefined,
  }),
};
