import { z } from 'zod';
import type { Diagnosis } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { bounded, messageOf } from '../errors';
import { type AskedProvider, askDriver } from './ask-driver';
import { CallAborted } from './call-clock';

const LIMIT_MS = 15_000;
/** A driver that never ends must not fill a screen. */
const MOST = 50;

/** Collects the findings of a driver within the limit, with no key in them. Never rejects. */
export async function diagnose(provider: AskedProvider, limitMs = LIMIT_MS): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  try {
    await askDriver(provider, limitMs, async (driver, call) => {
      for await (const finding of asFindings(driver.diagnose?.(call) ?? [])) {
        // After the limit the report is already on the screen.
        if (call.signal.aborted) return;
        found.push(read(finding, provider.redactor));
        if (found.length === MOST) return;
      }
    });
  } catch (error) {
    const why = error instanceof CallAborted ? `no answer within ${limitMs / 1000} s` : messageOf(error);
    found.push(warn(bounded(provider.redactor.redact(`not everything could be looked at: ${why}`))));
  }
  return found;
}

/** Plug-ins may be plain JavaScript, also below. */
function asFindings(made: AsyncIterable<Diagnosis> | []): AsyncIterable<Diagnosis> | [] {
  if (Array.isArray(made) || typeof (made as Partial<typeof made> | null)?.[Symbol.asyncIterator] === 'function')
    return made;
  throw new TypeError('the driver’s diagnose() has to be an async generator: async *diagnose(call) { yield ... }');
}

const topicSchema = z.enum(['version', 'login', 'billing', 'permission', 'sandbox', 'settings', 'other']);
const diagnosisSchema = z.object({
  topic: topicSchema,
  severity: z.enum(['ok', 'note', 'warning', 'broken']),
  message: z.string(),
  fix: z.string().optional(),
});
const lenientSchema = diagnosisSchema.extend({ topic: topicSchema.catch('other') });

/** Whether a finding follows the contract to the letter. */
export function isDiagnosis(value: unknown): boolean {
  return diagnosisSchema.safeParse(value).success;
}

function read(value: unknown, redactor: Redactor): Diagnosis {
  const { data } = lenientSchema.safeParse(value);
  if (!data) return warn('the driver yielded a finding that is none: it needs topic, severity and message');
  const { topic, severity, message, fix } = data;
  const shown = (text: string) => bounded(redactor.redact(text));
  return { topic, severity, message: shown(message), fix: fix && shown(fix) };
}

function warn(message: string): Diagnosis {
  return { topic: 'other', severity: 'warning', message };
}
