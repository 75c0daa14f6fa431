import { createHash } from 'node:crypto';
import type { ChatEvent, ChatRequest, Message, Tool, ToolChoice } from 'drivebay/plugin';
import { isFields, type Fields } from './fields';

/** What a vendor takes as the name of a tool. */
export interface NameRule {
  longest: number;
  /** A whole name that is fine, whatever its length. */
  valid: RegExp;
}

const DIGEST_LENGTH = 8;

/** The names of one request that its vendor would refuse, each with the name that goes to the vendor. */
export class ToolNames {
  private readonly toVendor = new Map<string, string>();
  private readonly toClient = new Map<string, string>();

  /** Undefined where every name is fine, as nearly always. */
  static of({ tools = [], messages }: ChatRequest, rule: NameRule): ToolNames | undefined {
    const names = new Set(tools.map(({ name }) => name));
    for (const { parts } of messages) for (const part of parts) if (part.type === 'tool_call') names.add(part.name);
    if (names.size === 0) return undefined;
    const isFine = (name: string): boolean => name.length <= rule.longest && rule.valid.test(name);
    const refused = [...names].filter((name) => name !== '' && !isFine(name));
    return refused.length > 0 ? new ToolNames(refused, names, rule) : undefined;
  }

  private constructor(refused: string[], taken: ReadonlySet<string>, { longest, valid }: NameRule) {
    for (const name of refused) {
      let fitting: string;
      // The same in every turn, because vendors cache what they have read.
      for (let round = 0; ; round += 1) {
        fitting = shorten(name, longest, valid, round);
        if (!taken.has(fitting) && !this.toClient.has(fitting)) break;
      }
      this.toVendor.set(name, fitting);
      this.toClient.set(fitting, name);
    }
  }

  /** The request with names that the vendor takes. */
  apply(request: ChatRequest): ChatRequest {
    const { tools, toolChoice, messages } = request;
    return {
      ...request,
      messages: messages.map((message) => this.inMessage(message)),
      ...(tools && { tools: tools.map((tool) => this.inTool(tool)) }),
      ...(toolChoice && { toolChoice: this.inChoice(toolChoice) }),
    };
  }

  /** The event with the client's names. */
  restore(event: ChatEvent): ChatEvent {
    if (event.type !== 'tool_call' || event.name === undefined) return event;
    const name = this.toClient.get(event.name);
    return name === undefined ? event : { ...event, name };
  }

  private inMessage(message: Message): Message {
    const { role, parts, name } = message;
    if (role === 'tool' && name !== undefined) return { ...message, name: this.wire(name) };
    if (role !== 'assistant' || !parts.some(({ type }) => type === 'tool_call')) return message;
    return {
      ...message,
      parts: parts.map((part) => (part.type === 'tool_call' ? { ...part, name: this.wire(part.name) } : part)),
    };
  }

  private inTool(tool: Tool): Tool {
    const { raw, name } = tool;
    if (!this.toVendor.has(name)) return tool;
    return { ...tool, name: this.wire(name), ...(raw && { raw: this.inFields(raw) as Fields }) };
  }

  private inChoice(choice: ToolChoice): ToolChoice {
    if (choice.type === 'tool') return { type: 'tool', name: this.wire(choice.name) };
    return choice.type === 'other' ? { type: 'other', value: this.inFields(choice.value) } : choice;
  }

  /** A form that only the vendor knows: a name stands in it as `name`, at some depth. Schemas are left alone. */
  private inFields(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.inFields(item));
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        if (key === 'name' && typeof field === 'string') return [key, this.wire(field)];
        return [key, key === 'parameters' || key === 'input_schema' ? field : this.inFields(field)];
      }),
    );
  }

  private wire(name: string): string {
    return this.toVendor.get(name) ?? name;
  }
}

/** Keeps as much of a name as fits, so that the model still understands it, and tells alike ones apart by a digest. */
function shorten(name: string, longest: number, valid: RegExp, round: number): string {
  const digest = createHash('sha256')
    .update(`${round === 0 ? '' : round}${name}`)
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const start = valid.test(plain) ? plain : `_${plain}`;
  return `${start.slice(0, longest - DIGEST_LENGTH - 1)}_${digest}`;
}
