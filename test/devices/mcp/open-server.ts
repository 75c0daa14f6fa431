import { Environment } from '../../../core/config/environment';
import { serverSchema } from '../../../core/config/mcp/mcp-schema';
import { makeLogger } from '../../../core/contract/make-logger';
import { Redactor } from '../../../core/contract/redact';
import { McpServer } from '../../../core/devices/mcp/mcp-server';
import type { ToolSeat } from '../../../core/devices/tool-server';

const opened: McpServer[] = [];

afterEach(async () => void (await Promise.all(opened.splice(0).map((server) => server.close()))));

const silent = makeLogger(() => undefined);

/** A tool server as a project makes it, and one user of it. */
export function openServer(entry: Record<string, unknown>, { idleMs }: { idleMs?: number } = {}) {
  const processEnvironment = { PATH: process.env.PATH, HOME: process.env.HOME };
  const values = serverSchema.parse(entry);
  const place = { file: 'mcp.json' };
  const server = new McpServer(
    { name: 'box', values, place, isOfProject: false },
    {
      environment: new Environment({ processEnvironment }),
      redactor: new Redactor(),
      log: silent,
      hidden: new Set<string>(),
      idleMs,
    },
  );
  opened.push(server);
  const lines: string[] = [];
  const log = makeLogger((level, message) => void lines.push(`${level} ${message}`));
  const { signal } = new AbortController();
  const seat = server.join({ workingDirectory: '/', log });
  return {
    ...{ server, seat, lines },
    names: async (of: ToolSeat = seat) => (await of.tools(signal)).map(({ name }) => name),
    call: async (tool: string, input: unknown = {}) => {
      const { content, isError } = await seat.call(tool, input, signal);
      const text = content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
      return isError ? `error: ${text}` : text;
    },
  };
}
