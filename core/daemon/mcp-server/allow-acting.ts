import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { AgentTrust } from '../../config/agent-trust';
import type { McpHost } from './mcp-host';
import { reasonOf } from '../../devices/mcp/reason-of';
import { formatProblem, HintedError, messageOf } from '../../errors';
import { shellWords } from '../../shell-words';

const PATIENCE_MS = 10 * 60_000;

/**
 * Asks the user, by the client, whether agents may act in a folder without asking; remembers a yes. Throws where the user says no,
 * or the client cannot ask: a model must not decide it, and no client of the gateway for its owner.
 */
export async function allowActing(
  { server }: Pick<McpServer, 'server'>,
  { client }: Pick<McpHost, 'client'>,
  trust: AgentTrust,
  reason: unknown,
): Promise<void> {
  const { folder } = trust;
  const why = `${messageOf(reason)}, in ${folder}`;
  const inTerminal = `to allow it, once, in a terminal: ${shellWords(['cd', folder])} && drivebay run "say hello"`;
  if (client !== undefined || !server.getClientCapabilities()?.elicitation) {
    throw new HintedError(why, inTerminal);
  }
  const question = `${why}. Let agents work in this folder?`;
  const asking = server.elicitInput(
    {
      message: question,
      requestedSchema: {
        type: 'object',
        properties: { allow: { type: 'boolean', title: 'Let agents work in this folder', default: false } },
        required: ['allow'],
      },
    },
    { timeout: PATIENCE_MS },
  );
  const { action, content } = await asking.catch((error: unknown) => {
    throw new HintedError(`${why}; the client has not asked the user: ${reasonOf(error)}`, inTerminal);
  });
  if (action !== 'accept' || content?.allow !== true)
    throw new HintedError(`${why}; the user did not allow it`, undefined);
  const problem = trust.give();
  if (problem) process.stderr.write(`warning: ${formatProblem(problem)}\n`);
}
