import type { ChatRequest, ContentPart, Message } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import type { ProviderSettings } from './settings';

export interface PreparedRequest {
  request: ChatRequest;
  /** Request fields that have no effect on this provider. */
  ignored: string[];
}

/**
 * Fits a request to a provider: its defaults fill what the request leaves open, what its driver cannot do is left out
 * and named, or refused where leaving it out would mislead.
 */
export function prepareRequest(request: ChatRequest, settings: ProviderSettings): PreparedRequest {
  const { capabilities, takesReasoningEffort } = settings;
  const ignored: string[] = [];
  const prepared: ChatRequest = { ...request, stream: request.stream && settings.mode === 'stream' };

  prepared.model ??= settings.defaultModel!;
  if (prepared.model === undefined) {
    if (settings.driverKind === 'http') throw noModel(settings.name);
    delete prepared.model;
  }
  if (settings.maxTokens > 0) prepared.maxTokens ??= settings.maxTokens;
  // 0 means "the backend's default" in the configuration, and a client's 0 is taken the same way.
  if (!prepared.maxTokens) delete prepared.maxTokens;

  prepared.reasoningEffort ||= settings.reasoningEffort ?? '';
  if (prepared.reasoningEffort && !takesReasoningEffort) ignored.push('reasoning_effort');
  if (!prepared.reasoningEffort || !takesReasoningEffort) delete prepared.reasoningEffort;
  if (settings.thinkingBudget) prepared.thinkingBudget ??= settings.thinkingBudget;

  if ((request.choices ?? 1) > 1 && !capabilities.choices) {
    throw refuse('n', `provider "${settings.name}" answers with one choice only`);
  }
  // None, or less than that: a backend that knows the field judges it, another one gives its one choice.
  if ((request.choices ?? 1) < 1 && !capabilities.choices) {
    ignored.push('n');
    delete prepared.choices;
  }
  if (request.toolChoice && forcesTool(request.toolChoice) && !capabilities.forcedToolChoice) {
    throw refuse('tool_choice', `provider "${settings.name}" cannot be made to call a tool`);
  }
  if (!capabilities.tools) {
    if (request.tools) ignored.push('tools');
    if (request.toolChoice) ignored.push('tool_choice');
    delete prepared.tools;
    delete prepared.toolChoice;
  }
  if (!(capabilities.images && capabilities.audio && capabilities.files)) {
    request.messages.forEach((message, index) => refuseParts(message, index, settings));
  }
  return { request: prepared, ignored };
}

const NEEDED_CAPABILITY = { image: 'images', audio: 'audio', file: 'files' } as const;

function refuseParts(message: Message, index: number, { name, capabilities }: ProviderSettings): void {
  let position = 0;
  for (const part of message.parts.flatMap<ContentPart>((part) => {
    if (part.type === 'tool_result') return part.content;
    return part.type === 'reasoning' || part.type === 'tool_call' ? [] : [part];
  })) {
    if (part.type === 'image' || part.type === 'audio' || part.type === 'file') {
      const capability = NEEDED_CAPABILITY[part.type];
      if (!capabilities[capability]) {
        throw refuse(`messages[${index}].content[${position}]`, `provider "${name}" takes no ${capability}`);
      }
    }
    position += 1;
  }
}

function forcesTool(choice: NonNullable<ChatRequest['toolChoice']>): boolean {
  return choice.type === 'required' || choice.type === 'tool';
}

function noModel(provider: string): DriverError {
  return refuse(
    'model',
    `provider "${provider}" has no default_model: use "${provider}:<model>", or set default_model`,
  );
}

function refuse(param: string, message: string): DriverError {
  return new DriverError('invalid_request', message, { param });
}
