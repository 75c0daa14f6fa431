import type fc from 'fast-check';
import { isFields } from '../../core/fields';
import { readOutcome } from '../../core/devices/mcp/read-outcome';
import { mutated } from './mutated';

const SAMPLES = [
  {
    content: [
      { type: 'text', text: 'found' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA', mimeType: 'image/gif' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
    ],
    isError: false,
  },
  { content: [], structuredContent: { a: [1] }, isError: true },
];

/** What a tool server answers to a call, nearly. */
export const toolResults: fc.Arbitrary<Record<string, unknown>> = mutated(SAMPLES).map((value) =>
  isFields(value) ? value : { content: value },
);

/** The model gets texts and images, and always something. */
export function checkResult(result: Record<string, unknown>): void {
  const { content, isError } = readOutcome(result);
  const isGood = content.every(
    (part) =>
      (part.type === 'text' && typeof part.text === 'string') ||
      (part.type === 'image' && /^data:image\/(png|jpeg|gif|webp);base64,/.test(part.url)),
  );
  if (!isGood || content.length === 0 || typeof isError !== 'boolean') throw new Error(JSON.stringify(content));
}
