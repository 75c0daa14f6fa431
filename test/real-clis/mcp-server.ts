/** A tool server on stdin and stdout, with one tool that says a text again in capitals. */
export const mcpServer = (tool: string) => `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'big', version: '1' } },
    'tools/list': { tools: [{ name: '${tool}', description: 'Shouts.', inputSchema }] },
    'tools/call': { content: [{ type: 'text', text: String(params?.arguments?.text).toUpperCase() + ' from the server' }] },
  };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] || {} }));
});
`;
