import type { ToolServer } from '../../devices/tool-server';
import { hintOf, messageOf } from '../../errors';
import { type DoctorFinding, finding } from './finding';

/** Looks at the tool servers without starting one. */
export function serverFindings(servers: readonly ToolServer[]): Promise<DoctorFinding[]> {
  return Promise.all(
    servers.map(async (server) => {
      try {
        await server.look();
        return finding('tool_server', 'ok', `${server.path}: ${server.target}`, undefined);
      } catch (error) {
        return finding('tool_server', 'broken', `${server.path}: ${messageOf(error)}`, hintOf(error));
      }
    }),
  );
}
