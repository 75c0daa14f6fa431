import type { Logger } from '../../contract/api';
import { messageOf, UsageError } from '../../errors';
import type { Mount } from '../../gateway/gateway-options';
import type { OpenedProject } from '../project/opened-project';
import { explainPart, ProgramGone } from '../../program-gone';
import { sendJson } from '../../serving/send';
import type { McpSessions } from './mcp-sessions';

/** Makes the MCP servers of gateways: MCP on the port of each. `socketOf`: the control socket of this daemon. */
export function mcpMounts(socketOf: () => string | undefined, log: Logger) {
  return (opened: Pick<OpenedProject, 'ref' | 'project'>, roots: readonly string[]): Mount => {
    const socket = socketOf();
    if (socket === undefined)
      throw new UsageError('MCP needs the control socket', 'see the first lines of its log, and fix that');
    let sessions: Promise<McpSessions> | undefined;
    return {
      path: '/mcp',
      needsKey: true,
      /** It is loaded at its first use. */
      serve(request, response, closing) {
        const parts = { opened, roots, socket, log };
        sessions ??= import('./mcp-sessions').then(({ McpSessions }) => new McpSessions(parts, closing));
        sessions
          .then((open) => open.serve(request, response))
          .catch((error: unknown) => {
            log.error(`a request of an MCP client failed: ${messageOf(error)}`);
            if (response.headersSent) response.destroy();
            else sendJson(response, 500, { jsonrpc: '2.0', error: failureOf(error), id: null });
          });
      },
    };
  };
}

/** A failure of ours in JSON-RPC. */
const INTERNAL = -32_603;

function failureOf(thrown: unknown): { code: number; message: string } {
  const error = explainPart(thrown);
  const text = error instanceof ProgramGone ? `${error.message}; ${error.hint}` : 'drivebay failed; its log says why';
  return { code: INTERNAL, message: text };
}
