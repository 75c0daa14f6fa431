import type { Refusal } from '../_shared/http/refusals';
import { WISH_REFUSALS } from '../_shared/http/wishes';

/** The vendor names in its own words what a model cannot do: "Penalty is not enabled for models/gemini-2.5-flash". */
const cannot = (subject: string): RegExp =>
  new RegExp(`^${subject} is (?:not enabled|not supported|deprecated) for`, 'gi');

/** The vendor's sentences, as recorded in test/plugins/recorded-refusals.ts. */
export const REFUSALS: readonly Refusal[] = [
  ...WISH_REFUSALS,
  { words: /missing a `?thought_signature/g, parts: ['unsigned calls'] },
  // A signature of another model, or of another account, is the matter of this conversation only.
  { words: /Corrupted thought signature|Thought signature is not valid/g, parts: ['signatures'], scope: 'request' },
  { words: /Unknown name "(\w+)"/g },
  { words: cannot('Penalty'), parts: ['presencePenalty', 'frequencyPenalty'] },
  { words: cannot('Developer instruction'), parts: ['systemInstruction'] },
  { words: cannot('Thinking budget'), parts: ['thinkingBudget'] },
  { words: cannot('Thinking(?: level)?'), parts: ['thinkingConfig'] },
  { words: /thinking is not configurable in this model/g, parts: ['thinkingConfig'] },
  // Announced by the vendor for models to come.
  { words: cannot('Temperature'), parts: ['temperature'] },
  { words: cannot('top[_ ]?p'), parts: ['topP'] },
  { words: cannot('top[_ ]?k'), parts: ['topK'] },
];
