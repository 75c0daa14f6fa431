import type { ChatRequest, ContentPart, ErrorKind, Part, RequestOrigin } from '../contract/api';
import type { ProviderSettings } from './settings';

/** Something that a request needs and a provider cannot do. */
export interface Lack {
  /** The field of the request. */
  param: string;
  kind: Extract<ErrorKind, 'invalid_request' | 'context_overflow'>;
  message: string;
}

/** A token has about this many characters of English, and fewer of anything else: a guess that is too low. */
const CHARACTERS_PER_TOKEN = 4;

const NEEDED_CAPABILITY = { image: 'images', audio: 'audio', file: 'files' } as const;

/**
 * Why another provider should get the request: what would be refused here, and what would be left out although the
 * client counts on it.
 */
export function findLack(
  request: ChatRequest,
  model: string | undefined,
  settings: ProviderSettings,
): Lack | undefined {
  const { name, capabilities, driverKind } = settings;
  const refusal = findRefusal(request, model, settings);
  if (refusal) return refusal;
  if (request.tools?.length && request.toolChoice?.type !== 'none' && !capabilities.tools) {
    return lack('tools', `provider "${name}" takes no tools`);
  }
  const { responseFormat } = request;
  const isKept = responseFormat?.type === 'json_schema' && capabilities.answerSchema;
  if (responseFormat && responseFormat.type !== 'text' && driverKind === 'cli' && !isKept) {
    return lack('response_format', `provider "${name}" takes no response format`);
  }
  return findOverflow(request, model ?? settings.defaultModel, settings);
}

/** What an answer without it would mislead about. */
export function findRefusal(
  request: ChatRequest,
  model: string | undefined,
  settings: ProviderSettings,
): Lack | undefined {
  const { name, capabilities } = settings;
  const { choices = 1, toolChoice, messages } = request;
  // A program has a default model of its own; a server needs the name of one.
  if (model === undefined && settings.defaultModel === undefined && settings.driverKind === 'http') {
    const what = `provider "${name}" has no default_model: use "${name}:<model>", or set default_model`;
    return lack('model', what);
  }
  if (!capabilities.choices && choices > 1) return lack('n', `provider "${name}" answers with one choice only`);
  if (!capabilities.forcedToolChoice && (toolChoice?.type === 'required' || toolChoice?.type === 'tool')) {
    return lack('tool_choice', `provider "${name}" cannot be made to call a tool`);
  }
  const refused = request.origin && refuseForeign(request, request.origin, settings);
  if (refused) return refused;
  if (capabilities.images && capabilities.audio && capabilities.files) return undefined;
  for (const [index, { parts }] of messages.entries()) {
    const refused = findPart(parts, settings);
    if (refused) return lack(`messages[${index}].content[${refused.position}]`, refused.message);
  }
  return undefined;
}

/** What a driver needs to send the request of each wire on as it is. */
const SENDS_ON = { messages: 'vendorTools', responses: 'vendorPrompts' } as const;

/** A client of these wires is an agent that works by its tools: without them it would only talk. */
function refuseForeign({ tools }: ChatRequest, { api, body, stored }: RequestOrigin, settings: ProviderSettings) {
  const { name, capabilities } = settings;
  if (stored && !capabilities[SENDS_ON[api]]) {
    const { param, instead } = stored;
    return lack(param, `provider "${name}" does not have what "${param}" names, its vendor keeps it: send ${instead}`);
  }
  if (tools?.length && !capabilities.tools) {
    return lack('tools', `provider "${name}" cannot call tools: choose a provider that can, or send none`);
  }
  // The answer would pass for what such a tool has found.
  const isVendorsAlone = api === 'messages' && !tools?.length && Array.isArray(body.tools) && body.tools.length > 0;
  if (!isVendorsAlone || capabilities.vendorTools) return undefined;
  const types = (body.tools as { type?: unknown }[]).map(({ type }) => String(type)).join(', ');
  return lack('tools', `provider "${name}" has no ${types}: tools that a backend runs by itself need its own provider`);
}

function findPart(parts: readonly Part[], { name, capabilities }: ProviderSettings) {
  const content = parts.flatMap<{ type: ContentPart['type']; isResult: boolean }>((part) => {
    if (part.type === 'tool_result') return part.content.map(({ type }) => ({ type, isResult: true }));
    return part.type === 'reasoning' || part.type === 'tool_call' ? [] : [{ type: part.type, isResult: false }];
  });
  for (const [position, { type, isResult }] of content.entries()) {
    if (type === 'text' || type === 'other') continue;
    if (type === 'image' && isResult && capabilities.resultImages) continue;
    const capability = NEEDED_CAPABILITY[type];
    if (!capabilities[capability]) return { position, message: `provider "${name}" takes no ${capability}` };
  }
  return undefined;
}

function findOverflow({ messages }: ChatRequest, asked: string | undefined, settings: ProviderSettings) {
  const window = asked === undefined ? undefined : settings.contextWindows.get(asked);
  if (window === undefined) return undefined;
  const tokens = Math.floor(lengthOf(messages.flatMap(({ parts }) => parts)) / CHARACTERS_PER_TOKEN);
  if (tokens <= window) return undefined;
  const message = `the request has over ${tokens} tokens, and the context window of "${asked}" is ${window}`;
  return { param: 'messages', kind: 'context_overflow', message } satisfies Lack;
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'text' || part.type === 'reasoning') return sum + part.text.length;
    if (part.type === 'tool_call') return sum + part.arguments.length;
    return part.type === 'tool_result' ? sum + lengthOf(part.content) : sum;
  }, 0);
}

function lack(param: string, message: string): Lack {
  return { param, kind: 'invalid_request', message };
}
