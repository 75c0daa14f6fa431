// A tool server on the official SDK, on stdin and stdout, or with a port over streamable HTTP.
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const TOOLS = Array.from({ length: 10 }, (_, index) => ({
  name: `echo${index}`,
  description: 'returns what it is given',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
}));

function makeServer() {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: params.arguments.word }],
  }));
  return server;
}

const [port] = process.argv.slice(2);
if (port === undefined) await makeServer().connect(new StdioServerTransport());
else {
  const sessions = new Map();
  createServer(async (request, response) => {
    if (request.url === '/health') return response.end('ok');
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      const keep = (id) => sessions.set(id, transport);
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: keep,
      });
      await makeServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  }).listen(Number(port), '127.0.0.1');
}
