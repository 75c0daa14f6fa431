import type { Part, ToolCallPart } from 'drivebay/plugin';
import createDriver from '../../../plugins/zeta';
import type { HttpOptions } from '../../../plugins/_shared/http/http-driver';
import { DriverHarness } from '../harness';

export { newCall } from '../harness';

/** The driver with the real SDK. The key is set unless it is given as undefined. */
export function startZeta(
  options: Partial<HttpOptions> = {},
  key: () => string | undefined = () => 'key-1',
): Promise<DriverHarness> {
  return DriverHarness.start(createDriver, { api_key_env: 'GEMINI_API_KEY', ...options }, key);
}

/** One answer of the vendor, or a piece of one. */
export function answer(parts: object[] | string, candidate: object = {}, fields: object = {}): object {
  const content = { role: 'model', parts: typeof parts === 'string' ? [{ text: parts }] : parts };
  return { candidates: [{ content, index: 0, ...candidate }], modelVersion: 'up-model', ...fields };
}

/** The last one. */
export function end(parts: object[] | string = [], fields: object = {}, reason = 'STOP'): object {
  return answer(parts, { finishReason: reason }, { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 }, ...fields }); // prettier-ignore
}

/** The body of an error answer. */
export function refusal(code: number, message: string, details: object[] = []): { error: object } {
  return { error: { code, message, status: 'X', ...(details.length > 0 && { details }) } };
}

export const text = (value: string): Part => ({ type: 'text', text: value });

export const call = (id: string, name: string, extra?: Record<string, unknown>): ToolCallPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: `{"of":"${id}"}`,
  ...(extra && { extra }),
});

export const result = (callId: string, value: string) => ({
  role: 'tool' as const,
  parts: [{ type: 'tool_result' as const, callId, content: [{ type: 'text' as const, text: value }] }],
});
