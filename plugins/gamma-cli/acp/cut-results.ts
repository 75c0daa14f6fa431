import type { Message } from 'drivebay/plugin';
import { hasImages } from '../../_shared/cli/client-tools/client-tools';

/** In characters of JSON. Gemini CLI 0.61 leaves the newest 50,000 tokens of results as they are, and takes four for a token. */
const MOST = 180_000;
/** What it puts around a result counts, too. */
const AROUND = 200;

/**
 * Whether Gemini CLI would put results of earlier calls in a file and a few lines in their place: it has no setting for that, and
 * its model has no tool to read the file. One text that lays the conversation out stays whole, but holds no images.
 */
export function cutsResults(messages: readonly Message[]): boolean {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const parts = messages.slice(0, Math.max(0, answered)).flatMap((message) => message.parts);
  const results = parts.filter((part) => part.type === 'tool_result');
  if (results.length === 0 || hasImages(messages)) return false;
  return results.reduce((sum, { content }) => sum + JSON.stringify(content).length + AROUND, 0) > MOST;
}
