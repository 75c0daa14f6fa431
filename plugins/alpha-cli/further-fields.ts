import type { ChatRequest } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';
import { asksForForm, schemaOf } from '../_shared/http/answer-schema';

export const NOTHING_EXTRA = '{}';
const FURTHER = ['parallel_tool_calls', 'response_format', 'stop', 'temperature', 'top_p'] as const;
/** The client's fields that reach the model, where they can. */
export const HONOURED: readonly string[] = ['max_tokens', ...FURTHER];

interface FurtherFields {
  /** By the names of the API. */
  fields: Fields;
  /** The client's fields that have no effect. */
  ignored: string[];
}

/** What the program has no setting for: it adds these fields to each request of its own. */
export function furtherFields(
  request: ChatRequest,
  { isChat, takesTools, sampling }: { isChat: boolean; takesTools: boolean; sampling: Fields },
): FurtherFields {
  const { temperature, topP, stop = [], extra } = request;
  const schema = takesTools ? schemaOf(request.responseFormat) : undefined;
  // A sequence that ends a message would end the work of an agent. The API refuses one of white space.
  const sequences = stop.filter((sequence) => isChat && sequence.trim() !== '');
  const fields: Fields = {
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(sequences.length > 0 && { stop_sequences: sequences }),
    ...(isChat && sampling),
  };
  const isLost = {
    parallel_tool_calls: !takesTools && 'parallel_tool_calls' in extra,
    response_format: !schema && asksForForm(request),
    stop: sequences.length < stop.length,
    temperature: temperature !== undefined && fields.temperature === undefined,
    top_p: topP !== undefined && fields.top_p === undefined,
  };
  return { fields, ignored: FURTHER.filter((name) => isLost[name]) };
}
