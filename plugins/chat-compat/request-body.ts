import type { ChatRequest } from 'drivebay/plugin';
import { toRequestFields } from '../_shared/chat-completions/request-fields';

/**
 * The JSON text to send. A client's own `thinking` is more specific than the provider's budget. Most compatible servers
 * know only the older names: `max_tokens`, whatever the client called it, and the system role.
 */
export function toRequestBody(request: ChatRequest, includeUsage: boolean): string {
  const fields = toRequestFields(request, {
    includeUsage,
    limitName: 'max_tokens',
    developerRole: 'system',
    takesReasoning: true,
  });
  const { thinkingBudget } = request;
  return JSON.stringify(
    thinkingBudget ? { thinking: { type: 'enabled', budget_tokens: thinkingBudget }, ...fields } : fields,
  );
}
