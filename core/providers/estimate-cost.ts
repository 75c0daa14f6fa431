import type { Estimate } from '../limits/limits';
import { costOf } from './call';
import type { ProviderSettings } from './settings';

/** Few texts have more tokens than this says, in whatever language. */
const BYTES_PER_TOKEN = 3;
const IMAGE_TOKENS = 1_500;
/** Most answers without an upper bound end below it. */
const USUAL_OUTPUT = 4_096;

/** What a request with this input may cost. `mostOutput`: its upper bound of output tokens; undefined where it has none. */
export function estimateCost(input: unknown, mostOutput: number | undefined, settings: ProviderSettings): Estimate {
  const outputTokens = mostOutput ?? USUAL_OUTPUT;
  const usd = costOf({ inputTokens: estimateTokens(input), outputTokens }, settings);
  return { usd, isMost: mostOutput !== undefined && usd > 0 };
}

/** About how many tokens the texts in a value are, at any depth; rather too many than too few. */
function estimateTokens(value: unknown): number {
  if (typeof value === 'string') {
    // A file or a picture costs by what is in it, not by its length.
    return value.startsWith('data:') ? IMAGE_TOKENS : Math.ceil(Buffer.byteLength(value) / BYTES_PER_TOKEN);
  }
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 0;
  for (const each of Object.values(value) as unknown[]) sum += estimateTokens(each);
  return sum;
}
