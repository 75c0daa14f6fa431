import type { ChatRequest } from '../contract/api';
import { makerOf, openCarried, openOrigin } from '../contract/carried';
import { DriverError } from '../contract/driver-error';
import { findRefusal } from './find-lack';
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
  const refusal = findRefusal(request, request.model, settings);
  if (refusal) throw new DriverError('invalid_request', refusal.message, { param: refusal.param });
  const ignored: string[] = [];
  const maker = makerOf(settings);
  const reasoningEffort = request.reasoningEffort || settings.reasoningEffort;
  if (reasoningEffort && !takesReasoningEffort) ignored.push('reasoning_effort');
  // Speed: a copy by `...request` takes longer than all else here.
  const prepared: Record<keyof ChatRequest, unknown> & ChatRequest = {
    model: request.model ?? settings.defaultModel,
    stream: request.stream && settings.mode === 'stream',
    messages: openCarried(request.messages, maker),
    tools: request.tools,
    toolChoice: request.toolChoice,
    responseFormat: request.responseFormat,
    stop: request.stop,
    choices: request.choices,
    maxTokens: limitOf(request, settings),
    temperature: request.temperature,
    topP: request.topP,
    reasoningEffort: (takesReasoningEffort && reasoningEffort) || undefined,
    thinkingBudget: (request.thinkingBudget ?? settings.thinkingBudget) || undefined,
    extra: request.extra,
    origin: openOrigin(request.origin, maker),
  };

  const { choices = 1, toolChoice } = request;
  // 0 or less: a backend without the field gives its one choice.
  if (!capabilities.choices && choices < 1) {
    ignored.push('n');
    prepared.choices = undefined;
  }
  if (!capabilities.tools) {
    if (request.tools) ignored.push('tools');
    if (toolChoice) ignored.push('tool_choice');
    prepared.tools = undefined;
    prepared.toolChoice = undefined;
  }
  return { request: prepared, ignored };
}

/** 0 means "the backend's default" in the configuration, so it means the same in a request. */
function limitOf({ maxTokens, origin }: ChatRequest, { maxTokens: own }: ProviderSettings): number | undefined {
  // Clients of these wires always send one, and it is a wish.
  if (origin && own > 0 && maxTokens) return Math.min(maxTokens, own);
  return (maxTokens ?? own) || undefined;
}
