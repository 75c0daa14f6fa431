import type { Logger } from '../contract/api';
import { isDriverError } from '../contract/driver-error';
import { type ChatRecord, MODEL_LENGTH } from './chat-completions';
import { GatewayError } from './gateway-error';

/** The one line about a chat, when it is over. Prompts and answers are never in it. */
export function logChat(log: Logger, id: string, record: ChatRecord, ms: number): void {
  const { provider, model, status, usage, costUsd, error } = record;
  const fields = {
    id,
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model: model.slice(0, MODEL_LENGTH) }),
    status,
    ms: Math.round(ms),
    ...(usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
  };
  if (!error) {
    log.info('chat', fields);
  } else {
    const isExpected = error instanceof GatewayError || isDriverError(error) || status === 429;
    log[status < 500 ? 'info' : 'warn']('chat', {
      ...fields,
      error: isExpected ? error.message : error.stack,
    });
  }
}
