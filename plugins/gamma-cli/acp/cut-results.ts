import type { Message } from 'drivebay/plugin';
import { hasImages } from '../../_shared/cli/client-tools/client-tools';

/** What Gemini CLI 0.61 takes for a token: four characters of ASCII; of others it takes each for 1.3. */
const PER_TOKEN = 4;
const PER_OTHER = 1.3;
const OTHER = /[^\0-\x7f]/g;
/** In tokens. It leaves the newest 50,000 of the results as they are; how they are wrapped counts, too. */
const MOST = 45_000;

/**
 * Whether Gemini CLI would put results of earlier calls in a file and a few lines in their place: it has no setting for that, and
 * its model has no tool to read the file. One text that lays the conversation out stays whole, but holds no images.
 */
export function cutsResults(messages: readonly Message[]): boolean {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const results = messages
    .slice(0, Math.max(0, answered))
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? part.content : [])));
  const tokens = results.reduce((sum, part) => sum + (part.type === 'text' ? tokensOf(part.text) : 0), 0);
  return tokens > MOST && !hasImages(messages);
}

function tokensOf(text: string): number {
  const others = text.match(OTHER)?.length ?? 0;
  return (text.length - others) / PER_TOKEN + others * PER_OTHER;
}
