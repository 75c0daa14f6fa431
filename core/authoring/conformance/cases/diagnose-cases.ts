import assert from 'node:assert';
import { isDiagnosis } from '../../../providers/diagnose';
import { cancelWork } from '../cancel-work';
import { defineCases, rule } from '../case-definition';
import { scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { within } from '../within';

const LIMIT_MS = 15_000;

/** They hold for a driver without `diagnose`, too. */
export const diagnoseCases = defineCases('diagnose', {
  findings: rule(
    'diagnose, where there is one, ends within 15 s with findings of the contract, and asks for no answer',
    [],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      const findings = await within(diagnose(stage), 'diagnose did not end', LIMIT_MS);
      for (const finding of findings) {
        assert.ok(isDiagnosis(finding), `no finding of the contract: ${JSON.stringify(finding)}`);
      }
      assert.equal(stage.received().length, 0, 'diagnose has asked for an answer, which costs tokens');
    },
  ),
  canceled: rule(
    'diagnose ends within 1 s after its signal, and leaves no connection and no process',
    ['hang'],
    async (stage) => {
      await stage.script({ type: 'hang' });
      await cancelWork(stage, 'diagnose', (signal) => diagnose(stage, signal));
    },
  ),
});

async function diagnose(stage: Stage, signal?: AbortSignal): Promise<unknown[]> {
  const findings: unknown[] = [];
  const driver = await stage.driver();
  for await (const finding of driver.diagnose?.(stage.call(signal)) ?? []) findings.push(finding);
  return findings;
}
