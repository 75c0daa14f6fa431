import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { suggestName } from '../../config/did-you-mean';
import { explainLines } from '../../config/explain-issue';
import { parseSafely } from '../../config/parse-safely';
import { UsageError } from '../../errors';
import { type CallExtra, failure, type ToolResult } from './tool-result';

interface About<Shape extends z.ZodRawShape> {
  title: string;
  description: string;
  inputSchema: Shape;
  outputSchema: z.ZodRawShape;
  annotations: ToolAnnotations;
}

type Run = (given: unknown, extra: CallExtra) => Promise<ToolResult>;

const callSchema = z.object({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string().catch(''), arguments: z.unknown().optional() }),
});

/** The tools of the server. The SDK lists them; what is wrong with a call is said here, in words for the model. */
export class ToolTable {
  private readonly tools = new Map<string, Run>();

  constructor(private readonly server: McpServer) {}

  add<Shape extends z.ZodRawShape>(
    name: string,
    about: About<Shape>,
    run: (given: z.output<z.ZodObject<Shape>>, extra: CallExtra) => Promise<ToolResult>,
  ): void {
    // One that is not known may be misspelt: without it, another model than the one that is meant would answer.
    const schema = z.strictObject(about.inputSchema);
    const checked: Run = (given, extra) => run(read(name, schema, given), extra);
    this.tools.set(name, checked);
    const described: About<z.ZodRawShape> = about;
    this.server.registerTool(name, described, checked);
  }

  /** Answers the calls, in place of the SDK. To be called when all tools are there. */
  serve(): void {
    this.server.server.setRequestHandler(callSchema, ({ params }, extra) => this.call(params, extra));
  }

  /** A failure is a result that says what to do: a protocol error would never reach the model. */
  private async call(params: { name: string; arguments?: unknown }, extra: CallExtra): Promise<ToolResult> {
    try {
      const names = [...this.tools.keys()];
      const run = this.tools.get(params.name);
      if (run) return await run(params.arguments ?? {}, extra);
      const all = `tools: ${names.join(', ')}`;
      throw new UsageError(`there is no tool ${JSON.stringify(params.name)}`, suggestName(params.name, names, all));
    } catch (error) {
      return failure(error);
    }
  }
}

function read<Schema extends z.ZodObject>(name: string, schema: Schema, given: unknown): z.output<Schema> {
  const { data, error } = parseSafely(schema, given);
  if (!error) return data;
  const problems = explainLines(schema, given, error.issues, 'the arguments');
  throw new UsageError(`${name}: ${problems.join('; ')}`, `its arguments: ${Object.keys(schema.shape).join(', ')}`);
}
