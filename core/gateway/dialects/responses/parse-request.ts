import type { ChatRequest, Message, ToolChoice } from '../../../contract/api';
import { defined, type Fields } from '../../../fields';
import { gatewayError } from '../../to-http-error';
import type { Carriers } from '../../carriers';
import { foldSystem } from '../../fold-system';
import { invalidRequest, readFields } from '../../read-fields';
import { toResponseFormat } from '../../response-format';
import { askForSummary } from '../../summary';
import type { AnswerPlan } from './answer-items';
import { isTrigger, TRIGGER } from './compaction';
import { toOriginBody } from './origin';
import { parseItems } from './parse-items';
import { requestFields, type RequestFields } from './request-fields';
import { ResponseHead } from './response-head';
import type { OwnResponses } from './response-store';
import { StoredItems } from './stored-items';
import { ToolMap } from './tool-map';

/** Keeps a response for requests that go on from it. */
export type Keep = (output: Fields[], text: string) => void;

/** What is kept of a request while its answer runs. */
export interface AnswerOrder extends AnswerPlan {
  /** What only a backend of this wire can follow. */
  lost: string[];
  /** Undefined: the client wants nothing kept. */
  keep: Keep | undefined;
}

export interface ParsedRequest {
  /** As the client named it; empty where it named none. */
  model: string;
  chat: ChatRequest;
  order: AnswerOrder;
}

/**
 * Reads a request body. Throws an HttpError that names the field at fault. `wantsSummary`: the path says what the item
 * `compaction_trigger` says elsewhere.
 */
export function parseRequest(
  body: Buffer,
  headers: Record<string, string>,
  carriers: Carriers,
  store: OwnResponses,
  wantsSummary = false,
): ParsedRequest {
  const fields = readFields(requestFields, body);
  refuseUnserved(fields);
  if (wantsSummary) Object.assign(fields, { input: [...itemsOf(fields.input), TRIGGER], stream: false, store: false });
  const { previous_response_id: previousId, instructions, stream, max_output_tokens: limit } = fields;
  const previous = previousId == null ? undefined : store.get(previousId);
  if (previousId != null && !previous) throw previousNotFound(previousId);

  const own = new StoredItems(itemsOf(fields.input), store);
  const items = previous ? [...previous.items, ...own.all] : own.all;
  const isFromStore = previous !== undefined || own.bytes > 0;
  const tools = new ToolMap();
  if (fields.tools) tools.add(fields.tools, 'tools');
  const leftOut = new Set<string>();
  const messages = parseItems(items, tools, carriers, leftOut);
  if (instructions) messages.unshift({ role: 'system', parts: [{ type: 'text', text: instructions }] });
  // A prompt that the vendor keeps may say all.
  if (messages.length === 0 && fields.prompt == null)
    throw invalidRequest('input: found nothing, expected a text or a list of items', 'input');

  const toolChoice = fields.tool_choice == null ? undefined : tools.choose(fields.tool_choice);
  const chat: ChatRequest = {
    stream: stream ?? false,
    messages: foldSystem(messages satisfies Message[]),
    extra: toExtra(fields),
    origin: { api: 'responses', body: toOriginBody(fields, items, isFromStore, carriers), headers },
  };
  if (fields.prompt != null) chat.origin!.stored = STORED_PROMPT;
  if (tools.tools.length > 0) {
    chat.tools = tools.tools;
    if (toolChoice) chat.toolChoice = toolChoice;
  }
  const format = fields.text?.format;
  if (format) chat.responseFormat = toResponseFormat(format, { name: 'output', ...format });
  if (fields.reasoning?.effort != null) chat.reasoningEffort = fields.reasoning.effort;
  if (limit != null) chat.maxTokens = limit;
  if (fields.temperature != null) chat.temperature = fields.temperature;
  if (fields.top_p != null) chat.topP = fields.top_p;
  const isCompaction = isTrigger(items.at(-1));
  if (isCompaction) askForSummary(chat);

  const bytes = body.length + own.bytes + (previous?.bytes ?? 0);
  const head = new ResponseHead(fields);
  const keep: Keep = (output, text) =>
    store.put(head.id, { items: [...items, ...output], text, bytes: bytes + text.length });
  const order = {
    ...{ head, isCompaction, tools: tools.client },
    lost: lostFields(fields, tools, leftOut, isMet(toolChoice, tools)),
    keep: fields.store === false ? undefined : keep,
  };
  return { model: fields.model ?? '', chat, order };
}

const STORED_PROMPT = { param: 'prompt', instead: 'the text of the prompt as instructions' };

function refuseUnserved({ background, conversation }: RequestFields): void {
  if (background)
    throw invalidRequest('background: answers are made while the client waits: leave it out', 'background');
  if (conversation == null) return;
  throw invalidRequest('conversation: none is stored here: send the items, or previous_response_id', 'conversation');
}

function previousNotFound(id: string) {
  const message = `previous_response_id: there is no response "${id}": responses are kept for an hour, unless store is false`;
  return gatewayError('previous_response_not_found', message, { param: 'previous_response_id' });
}

function itemsOf(input: RequestFields['input']): Fields[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
}

/** Fields that chat servers know, where they say something else than the default: strict servers refuse more of them. */
function toExtra({ parallel_tool_calls: parallel, text }: RequestFields): Record<string, unknown> {
  return defined({
    parallel_tool_calls: parallel === false ? false : undefined,
    verbosity: text?.verbosity ?? undefined,
  });
}

/** Of the fields that are not known: they say nothing about the answer. */
const SILENT = [
  'conversation',
  'prompt',
  'client_metadata',
  'include',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
];
const WITHOUT_LOSS: ReadonlySet<string> = new Set([
  ...Object.keys(requestFields.shape),
  ...SILENT,
  'stream_options',
  'user',
]);

/** What `include` may ask for everywhere: the state of a provider always comes with the reasoning. */
const INCLUDED = 'reasoning.encrypted_content';

/** A call cannot be forced where no tool is left. */
function isMet(choice: ToolChoice | undefined, { tools }: ToolMap): boolean {
  return tools.length > 0 ? choice !== undefined : choice?.type === 'auto' || choice?.type === 'none';
}

function lostFields(fields: RequestFields, tools: ToolMap, items: Set<string>, hasChoice: boolean): string[] {
  const unknown = Object.keys(fields).filter((name) => !WITHOUT_LOSS.has(name) && fields[name] != null);
  const isChoiceLost = fields.tool_choice != null && !hasChoice;
  const wanted: unknown[] = Array.isArray(fields.include) ? fields.include : [];
  return [
    ...unknown.filter((name) => name !== 'truncation' || fields.truncation !== 'disabled'),
    ...[...tools.leftOut].map((type) => `tools.${type}`),
    ...[...items].map((type) => `input.${type}`),
    ...(isChoiceLost ? ['tool_choice'] : []),
    ...(wanted.some((part) => part !== INCLUDED) ? ['include'] : []),
  ];
}
