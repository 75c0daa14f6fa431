import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { UNCHECKED } from '../../devices/mcp/unchecked';
import { productName, productVersion } from '../../package';
import { addAgentTools } from './agent-tools';
import { addAskTools } from './ask-tools';
import type { McpHost } from './mcp-host';
import { addModelTool } from './model-tool';
import { addResources } from './resources';
import { ToolTable } from './tool-table';

const INSTRUCTIONS =
  'Drivebay knows every language model and every agent CLI that the user has set up. Use `ask` for the answer of another model, ' +
  '`compare` for those of several, and `run_agent` for work that needs files or programs. The tool `models` lists the names. ' +
  'Other models see nothing of this conversation, so give them all that they need.';

/** The MCP server for one client. The daemon does the work. */
export function createMcpServer(host: McpHost): McpServer {
  const options = { instructions: INSTRUCTIONS, jsonSchemaValidator: UNCHECKED };
  const server = new McpServer({ name: productName, version: productVersion }, options);
  const tools = new ToolTable(server);
  addAskTools(tools, server, host);
  addAgentTools(tools, server, host);
  addModelTool(tools, host);
  tools.serve();
  addResources(server, host);
  return server;
}
