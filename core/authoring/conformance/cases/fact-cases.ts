import assert from 'node:assert';
import { isFields } from '../../../fields';
import { readCount } from '../../../providers/count-tokens';
import { isDiagnosis } from '../../../providers/diagnose';
import { defineCases, rule } from '../case-definition';
import { canceled, facts } from '../facts';
import { unlessRefused } from '../unless-refused';

const METADATA_LIMIT_MS = 10_000;
const DIAGNOSE_LIMIT_MS = 15_000;

/** What a driver says besides its answers. They hold for a driver without the method, too. */
export const factCases = [
  ...defineCases('lifecycle', {
    'models-canceled': rule(
      'models ends within 1 s after its signal, and leaves no connection and no process',
      ['hang'],
      (stage) => canceled(stage, 'models'),
    ),
    metadata: rule(
      'metadata, if the driver has it, resolves within 10 s with texts, and asks for no answer',
      [],
      (stage) => facts(stage, 'metadata', areTexts, METADATA_LIMIT_MS),
    ),
    'count-tokens': rule(
      'countTokens, if the driver has it, resolves with a whole number or throws, and asks for no answer',
      [],
      // Where it throws, Drivebay estimates.
      (stage) => unlessRefused(facts(stage, 'countTokens', readCount)),
    ),
    'count-tokens-canceled': rule(
      'countTokens ends within 1 s after its signal, and leaves no connection and no process',
      ['hang'],
      (stage) => canceled(stage, 'countTokens'),
    ),
  }),
  ...defineCases('diagnose', {
    findings: rule(
      'diagnose, if the driver has it, ends within 15 s with findings of the contract, and asks for no answer',
      [],
      (stage) => facts(stage, 'diagnose', areFindings, DIAGNOSE_LIMIT_MS),
    ),
    canceled: rule(
      'diagnose ends within 1 s after its signal, and leaves no connection and no process',
      ['hang'],
      (stage) => canceled(stage, 'diagnose'),
    ),
  }),
];

function areTexts(found: unknown): void {
  const isTexts = isFields(found) && Object.values(found).every((value) => typeof value === 'string');
  assert.ok(
    found === undefined || isTexts,
    `metadata resolved with ${JSON.stringify(found)}, not with texts by their names`,
  );
}

function areFindings(found: unknown): void {
  for (const finding of found as unknown[]) {
    assert.ok(isDiagnosis(finding), `no finding of the contract: ${JSON.stringify(finding)}`);
  }
}
