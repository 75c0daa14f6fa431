import type { ChatRequest } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import type { LeftOut } from '../_shared/http/refusals';

const ENCRYPTED = 'reasoning.encrypted_content';

interface ResponsesBody {
  body: Fields;
  /** The parts that the vendor may refuse, by the names of `RESPONSES_REFUSALS`. */
  parts: Fields;
}

/**
 * The body as a client of the Responses wire sent it, for the model of the route. It stands for itself: the vendor stores
 * nothing, so that reasoning has to come back encrypted. Options of the provider come in only where the client set none.
 */
export function toResponsesBody(
  request: ChatRequest,
  sent: Fields,
  { without, isVendor }: { without: LeftOut; isVendor: boolean },
): ResponsesBody {
  const { client_metadata: _, ...rest } = sent;
  const body: Fields = { ...rest, model: request.model, store: false };
  if ((sent.stream === true) !== request.stream) body.stream = request.stream;
  if (Array.isArray(sent.input)) body.input = withoutForeignReasoning(sent.input, without.has('reasoning'), isVendor);

  const include = listOf(sent.include);
  const isAdded = !include.includes(ENCRYPTED) && !without.has('include');
  if (isAdded) body.include = [...include, ENCRYPTED];
  const reasoning = fieldsOf(sent.reasoning);
  const effort = request.reasoningEffort;
  if (reasoning.effort === undefined && effort !== undefined) body.reasoning = { ...reasoning, effort };
  if (sent.max_output_tokens === undefined) body.max_output_tokens = request.maxTokens;
  return { body, parts: { include: isAdded || undefined, reasoning: Array.isArray(sent.input) || undefined } };
}

/** Whether a request can go to the vendor by itself: it names nothing that only the gateway keeps. */
export function isSelfContained(sent: Fields): boolean {
  return sent.previous_response_id === undefined || sent.previous_response_id === null;
}

/** Reasoning that the vendor has not encrypted is another model's, and refused. Another server may have a way of its own. */
function withoutForeignReasoning(items: unknown[], withoutAny: boolean, isVendor: boolean): unknown[] {
  const isKept = (item: unknown): boolean => {
    if (!isFields(item) || item.type !== 'reasoning') return true;
    const encrypted = textOf(item.encrypted_content);
    return !withoutAny && encrypted !== undefined && (!isVendor || /^[A-Za-z0-9]/.test(encrypted));
  };
  return items.every(isKept) ? items : items.filter(isKept);
}
