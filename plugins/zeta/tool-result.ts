import type { DriverContext, ToolResultPart } from 'drivebay/plugin';
import type { Part } from '@google/genai';
import { toVendorId } from './call-id';
import { toPart } from './content-part';

/** Spells the result of a call to the function of that name: its texts as one, everything else beside them. */
export function toToolResult(
  name: string,
  { callId, content }: ToolResultPart,
  path: string,
  makeError: DriverContext['error'],
): Part {
  const media = content.flatMap((part, index) => {
    return part.type === 'text' ? [] : (toPart(part, `${path}.content[${index}]`, makeError) ?? []);
  });
  const id = toVendorId(callId);
  return {
    functionResponse: {
      name,
      response: { output: content.map((part) => (part.type === 'text' ? part.text : '')).join('') },
      ...(id !== undefined && { id }),
      ...(media.length > 0 && { parts: media }),
    },
  };
}
