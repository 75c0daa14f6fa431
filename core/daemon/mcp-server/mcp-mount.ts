import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../contract/api';
import { messageOf, UsageError } from '../../errors';
import type { Mount } from '../../gateway/gateway-options';
import type { OpenedProject } from '../project/opened-project';
import type { McpMountParts, McpSessions } from './mcp-sessions';

/** Makes the MCP servers of gateways. `socketOf`: the control socket of this daemon. */
export function mcpMounts(socketOf: () => string | undefined, log: Logger) {
  return (opened: OpenedProject, roots: readonly string[]): Mount => {
    const socket = socketOf();
    if (socket !== undefined) return new McpMount({ opened, roots, socket, log });
    throw new UsageError('MCP needs the control socket', 'see the first lines of its log, and mend that');
  };
}

/** MCP on the port of a gateway. It is loaded at its first use. */
class McpMount implements Mount {
  readonly path = '/mcp';
  readonly needsKey = true;
  private sessions: Promise<McpSessions> | undefined;

  constructor(private readonly parts: McpMountParts) {}

  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
    this.sessions ??= import('./mcp-sessions').then(({ McpSessions }) => new McpSessions(this.parts, closing));
    this.sessions
      .then((sessions) => sessions.serve(request, response))
      .catch((error: unknown) => {
        this.parts.log.error(`a request of an MCP client failed: ${messageOf(error)}`);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
  }
}
