import { httpBackend } from 'drivebay/testing';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';
import { type Defect, testDefects } from './spoilt-driver';

/** What the answers do not show: what a driver does besides, and with less usual answers. */
const DEFECTS: Defect[] = [
  ['drops blank pieces', 'answer.blank-pieces', 'if (piece.text !== undefined)', 'if (piece.text?.trim())'],
  [
    'takes the carriage return for a part of the answer',
    'answer.line-ends',
    'const piece = parse(line);',
    "const piece = parse(line.endsWith('\\r') ? line + '?' : line);",
  ],
  [
    'prefers the variable that it knows',
    'request.key-chosen',
    'context.requireApiKey()',
    '(process.env.SAMPLE_API_KEY ?? context.requireApiKey())',
  ],
  [
    'calls 403 a refused request',
    'failure.forbidden',
    'throw await response.error()',
    "throw response.status === 403 ? context.error('rejected', 'no') : await response.error()",
  ],
  [
    'calls 503 a refused request',
    'failure.unavailable',
    'throw await response.error()',
    "throw response.status === 503 ? context.error('rejected', 'no') : await response.error()",
  ],
  [
    'asks again by itself',
    'failure.once',
    "const response = await request('/chat', call, body);",
    "const response = await request('/chat', call, body).catch(() => request('/chat', call, body));",
  ],
  ['warns in one text', 'lifecycle.check', '.text();\n    },', ".text();\n      return { warnings: 'slow' };\n    },"],
  [
    'has objects in its metadata',
    'lifecycle.metadata',
    'async close() {}',
    'async close() {}, async metadata() { return { place: {} }; }',
  ],
  [
    'counts tokens in words',
    'lifecycle.count-tokens',
    'async close() {}',
    "async close() {}, async countTokens() { return 'many'; }",
  ],
  [
    'counts tokens for ever',
    'lifecycle.count-tokens-canceled',
    'async close() {}',
    "async close() {}, async countTokens() { await (await request('/health', { signal: new AbortController().signal })).text(); return 1; }",
  ],
  [
    'logs the prompt',
    'secrets.prompt',
    'const { signal } = call;',
    'const { signal } = call; call.log.info(`sends ${body}`);',
  ],
  ['prints', 'guest.output', 'const { signal } = call;', "const { signal } = call; process.stdout.write('');"],
  [
    'prints by the console',
    'guest.output',
    'const { signal } = call;',
    "const { signal } = call; console.log('asked');",
  ],
  [
    'holds the process up',
    'guest.event-loop',
    'const { signal } = call;',
    'const { signal } = call; for (const end = Date.now() + 300; Date.now() < end; );',
  ],
];

testDefects(DEFECTS, HTTP_DRIVER, HTTP_MANIFEST, httpBackend(sampleHttpWire));
