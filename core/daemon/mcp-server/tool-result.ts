import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { codeOf, ConfigError, formatProblem, hintOf, messageOf } from '../../errors';

/** What the SDK gives with a call: its signal, and the way back to the client. */
export type CallExtra = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  'signal' | '_meta' | 'sendNotification'
>;

export interface ToolResult {
  [field: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A result for people and models, and the same for programs. */
export function toResult(text: string, structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent };
}

export function failure(error: unknown): ToolResult {
  return { content: [{ type: 'text', text: describeFailure(error) }], isError: true };
}

export function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) {
    const problems = error.problems.map((problem) => `- ${formatProblem(problem)}`);
    return ['the configuration of drivebay has mistakes:', ...problems, 'to see them: drivebay config check'].join(
      '\n',
    );
  }
  const hint = hintOf(error) ?? HINTS[codeOf(error) ?? ''];
  return [messageOf(error), ...(hint === undefined ? [] : [hint])].join('\n');
}

/** What to do about errors that the gateway tells without a hint. */
const HINTS: Record<string, string> = {
  model_not_found: 'the tool `models` lists the names; on a terminal: drivebay models',
};
