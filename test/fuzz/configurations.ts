import fc from 'fast-check';
import { stringify } from 'yaml';
import { documentOf } from '../../core/config/document';
import { loadConfig } from '../../core/config/load';
import { formatProblem } from '../../core/errors';
import { expectNoStack } from './hold';
import { mutated } from './mutated';

/** One for each section, because the time of a case is that of its length. */
const SAMPLES = [
  {
    version: '1',
    default_provider: 'main',
    providers: [
      {
        name: 'main',
        driver: 'chat-compat',
        base_url: 'http://127.0.0.1:1/v1',
        default_model: 'm',
        max_concurrency: 2,
      },
    ],
  },
  {
    version: '1',
    providers: [
      { name: 'next', driver: 'x', api_key_env: 'KEY', limits: { requests_per_minute: 3, budget_usd: { day: 1 } } },
    ],
    routes: [{ name: 'auto', targets: ['next', { provider: 'next', model: 'm' }], models: ['gpt-*'] }],
  },
  {
    version: '1',
    clients: [{ name: 'ci', key_sha256: 'a'.repeat(64), allow: ['main', 'auto:*'] }],
    shared_state: { url_env: 'REDIS_URL', required: false },
  },
];
const BLOCKS = SAMPLES.map((sample) => stringify(sample));
const PIECES = [
  '\n',
  '\t',
  '  ',
  ': ',
  '- ',
  '&a ',
  '*a',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '|\n',
  '>-\n',
  '#',
  '!!str ',
  '---\n',
  '...\n',
  '<<: *a',
  '? ',
  '%YAML 1.1\n',
  '\u0000',
  '\ufeff',
  '\r',
  '\u2028',
  '\ud800',
  '${X}',
];

/**
 * Texts that are nearly a configuration: odd values in JSON, or a good one in blocks, and then odd pieces in the text.
 * Blocks of odd values would take longer to write than to read.
 */
export const configurations: fc.Arbitrary<string> = fc
  .tuple(
    mutated(SAMPLES),
    fc.nat(5),
    fc.array(fc.tuple(fc.nat(), fc.nat(PIECES.length - 1), fc.nat(6)), { maxLength: 4 }),
  )
  .map(([value, form, edits]) => {
    let text = BLOCKS[form] ?? JSON.stringify(value);
    for (const [at, piece, cut] of edits) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + PIECES[piece]! + text.slice(place + cut);
    }
    return text;
  });

/** A configuration is read, or its problems are told. */
export function checkConfiguration(text: string): void {
  const file = '/home/me/.config/drivebay/providers.yaml';
  const { problems, warnings } = loadConfig({ global: { file, document: documentOf(file, text) } });
  for (const problem of [...problems, ...warnings]) expectNoStack(formatProblem(problem));
}
