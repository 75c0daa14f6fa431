import type { ChatRequest, ContentPart, Message, RequestOrigin } from '../contract/api';
import { makerOf, openCarried } from '../contract/carried';
import { DriverError } from '../contract/driver-error';
import type { ProviderSettings } from './settings';

/**
 * Fits a request to a provider. The provider's defaults fill open fields. A field that its driver cannot honour is left
 * out and named, or refused where an answer without it would mislead.
 */
export function prepareRequest(
  request: ChatRequest,
  settings: ProviderSettings,
): { request: ChatRequest; ignored: string[] } {
  const { capabilities, takesReasoningEffort } = settings;
  const ignored: string[] = [];
  const reasoningEffort = request.reasoningEffort || settings.reasoningEffort;
  if (reasoningEffort && !takesReasoningEffort) ignored.push('reasoning_effort');
  const prepared: ChatRequest = {
    ...request,
    stream: request.stream && settings.mode === 'stream',
    model: request.model ?? defaultModel(settings),
    messages: openCarried(request.messages, makerOf(settings)),
    maxTokens: limitOf(request, settings),
    reasoningEffort: (takesReasoningEffort && reasoningEffort) || undefined,
    thinkingBudget: (request.thinkingBudget ?? settings.thinkingBudget) || undefined,
    // It asks for a stream, and the backend is asked for one body.
    origin: request.stream && settings.mode !== 'stream' ? undefined : request.origin,
  };

  const { choices = 1, toolChoice } = request;
  if (!capabilities.choices) {
    if (choices > 1) throw refuse('n', `provider "${settings.name}" answers with one choice only`);
    // 0 or less: a backend without the field gives its one choice.
    if (choices < 1) {
      ignored.push('n');
      prepared.choices = undefined;
    }
  }
  if (!capabilities.forcedToolChoice && (toolChoice?.type === 'required' || toolChoice?.type === 'tool')) {
    throw refuse('tool_choice', `provider "${settings.name}" cannot be made to call a tool`);
  }
  if (request.origin) refuseTools(request, request.origin, settings);
  if (!capabilities.tools) {
    if (request.tools) ignored.push('tools');
    if (toolChoice) ignored.push('tool_choice');
    prepared.tools = undefined;
    prepared.toolChoice = undefined;
  }
  if (!(capabilities.images && capabilities.audio && capabilities.files)) {
    request.messages.forEach((message, index) => refuseParts(message, index, settings));
  }
  return { request: prepared, ignored };
}

/** 0 means "the backend's default" in the configuration, so it means the same in a request. */
function limitOf({ maxTokens, origin }: ChatRequest, { maxTokens: own }: ProviderSettings): number | undefined {
  // Clients of these wires always send one, and it is a wish.
  if (origin && own > 0 && maxTokens) return Math.min(maxTokens, own);
  return (maxTokens ?? own) || undefined;
}

/** A client of these wires is an agent that works by its tools: without them it would only talk. */
function refuseTools({ tools }: ChatRequest, { api, body }: RequestOrigin, settings: ProviderSettings): void {
  const { name, capabilities } = settings;
  if (tools?.length && !capabilities.tools) {
    throw refuse('tools', `provider "${name}" cannot call tools: choose a provider that can, or send none`);
  }
  // The answer would pass for what such a tool has found.
  const isVendorsAlone = api === 'messages' && !tools?.length && Array.isArray(body.tools) && body.tools.length > 0;
  if (isVendorsAlone && !capabilities.vendorTools) {
    const types = (body.tools as { type?: unknown }[]).map(({ type }) => String(type)).join(', ');
    throw refuse(
      'tools',
      `provider "${name}" has no ${types}: tools that a backend runs by itself need its own provider`,
    );
  }
}

/** A program has a default model of its own; a server has to be told one. */
function defaultModel({ name, defaultModel: model, driverKind }: ProviderSettings): string | undefined {
  if (model !== undefined || driverKind === 'cli') return model;
  throw refuse('model', `provider "${name}" has no default_model: use "${name}:<model>", or set default_model`);
}

const NEEDED_CAPABILITY = { image: 'images', audio: 'audio', file: 'files' } as const;

function refuseParts({ parts }: Message, index: number, { name, capabilities }: ProviderSettings): void {
  const content = parts.flatMap<ContentPart>((part) => {
    if (part.type === 'tool_result') return part.content;
    return part.type === 'reasoning' || part.type === 'tool_call' ? [] : [part];
  });
  for (const [position, { type }] of content.entries()) {
    if (type === 'text' || type === 'other') continue;
    const capability = NEEDED_CAPABILITY[type];
    if (!capabilities[capability]) {
      throw refuse(`messages[${index}].content[${position}]`, `provider "${name}" takes no ${capability}`);
    }
  }
}

function refuse(param: string, message: string): DriverError {
  return new DriverError('invalid_request', message, { param });
}
