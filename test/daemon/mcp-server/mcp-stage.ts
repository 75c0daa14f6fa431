import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  ElicitRequestSchema,
  type JSONRPCMessage,
  ListRootsRequestSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { cliPath } from '../../setup/run-cli';
import type { TempHome } from '../../setup/temp-home';

export interface ClientOptions {
  /** Folders that the client names; absent: it has no roots. */
  roots?: string[];
  /** What the user says when the server asks; absent: the client cannot ask. */
  allow?: boolean;
  /** An older version of the protocol. */
  version?: string;
}

/** An MCP client on the official SDK. */
export class McpClient {
  readonly asked: string[] = [];

  private constructor(readonly client: Client) {}

  static async connect(transport: Transport, { roots, allow, version }: ClientOptions = {}): Promise<McpClient> {
    const capabilities = { ...(roots && { roots: {} }), ...(allow !== undefined && { elicitation: {} }) };
    const client = new Client({ name: 'test', version: '1' }, { capabilities });
    const made = new McpClient(client);
    if (roots) {
      const named = roots.map((folder) => ({ uri: pathToFileURL(folder).href }));
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: named }));
    }
    if (allow !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        made.asked.push(params.message);
        return { action: 'accept', content: { allow } };
      });
    }
    await client.connect(version === undefined ? transport : speaking(transport, version));
    return made;
  }

  async call(
    name: string,
    given: Record<string, unknown> = {},
    options: { signal?: AbortSignal; onprogress?: (progress: Progress) => void } = {},
  ) {
    const result = (await this.client.callTool({ name, arguments: given }, undefined, {
      timeout: 60_000,
      ...options,
    })) as CallToolResult;
    const text = result.content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
    return {
      text,
      isError: result.isError === true,
      facts: (result.structuredContent ?? {}) as Record<string, unknown>,
      result,
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** `drivebay mcp serve` as a client starts it: everything on its stdout has to be the protocol. */
export class ServerProgram extends StdioClientTransport {
  stderrText = '';

  constructor(home: TempHome, words: string[] = ['mcp', 'serve'], { cwd = home.directory, env = {} } = {}) {
    super({ command: process.execPath, args: [cliPath, ...words], env: home.environment(env), cwd, stderr: 'pipe' });
    this.stderr?.on('data', (text: Buffer) => (this.stderrText += text.toString()));
  }
}

/** The SDK's client offers its latest version: this one says another. */
function speaking(transport: Transport, version: string): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, options) => {
    if ('method' in message && message.method === 'initialize')
      Object.assign(message.params!, { protocolVersion: version });
    return send(message, options);
  };
  return transport;
}
