import { isFields, parseJson } from '../../fields';

type Servers = Record<string, unknown>;

/** The text of a mcp.json with another list of servers. Undefined for a text that is not plain JSON, such as one with comments. */
export function editMcp(text: string | undefined, edit: (servers: Servers) => Servers): string | undefined {
  const root = text === undefined || text.trim() === '' ? {} : parseJson(text);
  if (!isFields(root)) return undefined;
  const servers = isFields(root.mcpServers) ? root.mcpServers : {};
  const indent = /^[\t ]+(?=")/m.exec(text ?? '')?.[0] ?? '  ';
  return `${JSON.stringify({ ...root, mcpServers: edit({ ...servers }) }, undefined, indent)}\n`;
}
