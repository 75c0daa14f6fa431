import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest, ResponseFormat, ToolChoice } from '../../../contract/api';
import { isFields } from '../../../fields';
import type { Carriers } from '../../carriers';
import { foldSystem } from '../../fold-system';
import { checkFields, readJson, wrongField } from '../../read-fields';
import { wantsSummary } from './compaction-block';
import { systemParts } from './parse-blocks';
import { parseMessages } from './parse-messages';
import { parseTools } from './parse-tools';
import { fieldNames, namesWithBudget, requestFields, type RequestFields } from './request-fields';
import { toOrigin } from './origin';
import { refuseThread } from './refuse-thread';
import { storedFile } from './stored-file';
import { fitsStrict } from './strict-schema';
import { toolsNow } from './tool-changes';

interface ParsedRequest {
  /** The model as the client named it; empty where it named none. The answer repeats it. */
  requestedModel: string;
  /** Fields that only a backend of this wire can act on. */
  ownFields: string[];
  /** The request for the device, without its model: routing sets it. */
  chat: ChatRequest;
  fieldNames: typeof fieldNames;
  /** The answer is a summary of the conversation. */
  isSummary: boolean;
}

/** Fields that other backends lose nothing without. A client hears of each further one that they do not get. */
const WITHOUT_LOSS: ReadonlySet<string> = new Set([
  ...Object.keys(requestFields.shape),
  'betas',
  'cache_control',
  'compaction',
  'context_management',
]);

/** Reads a request body. Throws an HttpError that names the field at fault. `isCount`: it asks for no answer. */
export function parseRequest(
  body: Buffer,
  headers: IncomingHttpHeaders,
  carriers: Carriers,
  isCount = false,
): ParsedRequest {
  const value = readJson(body);
  const fields = checkFields(requestFields, isCount && isFields(value) ? { max_tokens: 0, ...value } : value);
  refuseThread(fields);
  const origin = toOrigin(value as Record<string, unknown>, body, headers, carriers);
  const stored = storedFile(fields.messages);
  if (stored) origin.stored = stored;
  return toParsed(fields, toChat(fields, carriers), origin);
}

function toParsed(fields: RequestFields, chat: ChatRequest, origin: ChatRequest['origin']): ParsedRequest {
  const { tools, left, leftNames } = parseTools(toolsNow(fields.tools ?? [], fields.messages));
  const choice = fields.tool_choice;
  chat.origin = origin;
  if (tools.length > 0) {
    chat.tools = tools;
    // No backend takes the choice of a tool that it does not get.
    if (choice && leftNames.has(choice.name)) left.push('tool_choice');
    else addToolChoice(chat, choice);
  }
  const ownFields = Object.keys(fields).filter((name) => !WITHOUT_LOSS.has(name) && fields[name] != null);
  const isSummary = wantsSummary(fields, chat);
  return {
    requestedModel: fields.model ?? '',
    ownFields: [...ownFields, ...left],
    fieldNames: fields.output_config?.effort == null ? namesWithBudget : fieldNames,
    chat,
    isSummary,
  };
}

function toChat(fields: RequestFields, carriers: Carriers): ChatRequest {
  const { stream, max_tokens, temperature, top_p, top_k, stop_sequences, output_config, output_format } = fields;
  const system = systemParts(fields.system ?? []);
  const said = parseMessages(fields.messages, carriers);
  const messages = foldSystem(system.length > 0 ? [{ role: 'system', parts: system }, ...said] : said);
  if (messages.length === 0) throw wrongField('messages', fields.messages, 'a message with content');
  const chat: ChatRequest = { stream: stream ?? false, messages, extra: {} };
  if (max_tokens !== 0) chat.maxTokens = max_tokens;
  if (temperature != null) chat.temperature = temperature;
  if (top_p != null) chat.topP = top_p;
  if (top_k != null) chat.extra.top_k = top_k;
  if (stop_sequences?.length) chat.stop = stop_sequences;
  const effort = output_config?.effort ?? effortOf(fields.thinking);
  if (effort != null) chat.reasoningEffort = effort;
  const format = output_config?.format ?? output_format;
  if (format) chat.responseFormat = toResponseFormat(format);
  return chat;
}

/** The least budgets of an effort, from the highest. */
const EFFORTS: readonly [budget: number, effort: string][] = [
  [8_193, 'high'],
  [1_025, 'medium'],
  [1, 'low'],
];

/** Other backends know levels rather than budgets. */
function effortOf(thinking: RequestFields['thinking']): string | undefined {
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : undefined;
  return typeof budget === 'number' ? EFFORTS.find(([least]) => budget >= least)?.[1] : undefined;
}

function toResponseFormat(format: Record<string, unknown>): ResponseFormat {
  const { type, schema } = format;
  if (type !== 'json_schema' || !isFields(schema)) return { type: 'other', value: format };
  const named: ResponseFormat = { type: 'json_schema', name: 'output', schema };
  return fitsStrict(schema) ? { ...named, strict: true } : named;
}

function addToolChoice(chat: ChatRequest, choice: RequestFields['tool_choice']): void {
  if (!choice) return;
  chat.toolChoice = toToolChoice(choice);
  if (choice.disable_parallel_tool_use === true) chat.extra.parallel_tool_calls = false;
}

function toToolChoice(choice: NonNullable<RequestFields['tool_choice']>): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'any':
      return { type: 'required' };
    case 'tool':
      if (typeof choice.name === 'string') return { type: 'tool', name: choice.name };
      throw wrongField('tool_choice.name', choice.name, 'the name of a tool');
    default:
      throw wrongField('tool_choice.type', choice.type, 'one of auto, any, tool, none');
  }
}
