import { readFileSync } from 'node:fs';
import type { CliConversation, CliRunRecord, CliStep } from 'drivebay/testing';

type Fields = Record<string, unknown>;

/** A message that the driver writes to a program that speaks the Agent Client Protocol. */
export interface AcpMessage {
  id?: number;
  method: string;
  params: Fields & { sessionId?: string; modelId?: string; prompt?: { text: string }[]; mcpServers?: Fields[] };
}

/** What a session was asked. */
export interface Asked {
  pid: number;
  sessionId: string;
  prompt: string;
  model: string | undefined;
  /** The system prompt that the session was made with. */
  system: string;
  id: number;
}

export interface AcpScript {
  /** The steps for a prompt, after which it is answered; by default it is repeated. Undefined: it is never answered. */
  answer?: (asked: Asked) => CliStep[] | undefined;
  /** The steps for any other message, in place of what a healthy program does. */
  instead?: (message: AcpMessage, run: CliRunRecord) => CliStep[] | undefined;
  /** The updates that repeat a session that is loaded: before the answer, and after it. */
  repeats?: { before?: number; after?: number };
}

export const isAcp = ({ argv }: CliRunRecord): boolean => argv.includes('--acp');
export const messagesOf = (run: CliRunRecord): AcpMessage[] => run.lines.map((line) => JSON.parse(line) as AcpMessage);

export const result = (id: unknown, value: Fields = {}): Fields => ({ jsonrpc: '2.0', id, result: value });
export const refusal = (id: unknown, error: Fields): Fields => ({ jsonrpc: '2.0', id, error });
export const update = (sessionId: unknown, fields: Fields): Fields => ({
  ...{ jsonrpc: '2.0', method: 'session/update' },
  params: { sessionId, update: fields },
});
export const says = (sessionId: unknown, text: string): Fields =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** How Gemini CLI and Qwen Code speak with `--acp`, after the recordings. */
export class Acp implements CliConversation {
  readonly asked: Asked[] = [];
  private made = 0;
  private readonly sessions = new Map<string, { model?: string; system: string; asking?: number }>();

  constructor(private readonly script: AcpScript = {}) {}

  readonly isOne = isAcp;

  answer(line: string, run: CliRunRecord): CliStep[] {
    const message = JSON.parse(line) as AcpMessage;
    const own = this.script.instead?.(message, run);
    if (own) return own;
    const { id, method, params } = message;
    const sessionId = String(params?.sessionId);
    const session = this.sessions.get(sessionId);
    switch (method) {
      case 'initialize':
        return [result(id, { protocolVersion: 1, agentCapabilities: { loadSession: true } })];
      case 'session/new':
        return [result(id, { sessionId: this.make(`s${run.pid}-${(this.made += 1)}`, run) })];
      case 'session/load':
        return this.load(id, sessionId, run);
      case 'session/set_model':
        session!.model = params.modelId;
        return [result(id)];
      case 'session/cancel':
        return session?.asking === undefined ? [] : [result(session.asking, { stopReason: 'cancelled' })];
      case 'session/prompt':
        return this.prompt({ ...message, id: id! }, run);
      default:
        return [];
    }
  }

  private make(sessionId: string, { env }: CliRunRecord): string {
    this.sessions.set(sessionId, { system: readFileSync(env.GEMINI_SYSTEM_MD!, 'utf8') });
    return sessionId;
  }

  private load(id: unknown, sessionId: string, run: CliRunRecord): CliStep[] {
    this.make(sessionId, run);
    const { before = 0, after = 0 } = this.script.repeats ?? {};
    const repeated = (count: number) => Array.from({ length: count }, () => says(sessionId, 'of the history'));
    return [...repeated(before), result(id), 20, ...repeated(after)];
  }

  private prompt({ id, params }: AcpMessage & { id: number }, run: CliRunRecord): CliStep[] {
    const sessionId = params.sessionId!;
    const session = this.sessions.get(sessionId)!;
    const asked: Asked = {
      ...{ pid: run.pid, sessionId, id, model: session.model, system: session.system },
      prompt: params.prompt!.map(({ text }) => text).join(''),
    };
    this.asked.push(asked);
    const steps = this.script.answer ? this.script.answer(asked) : [says(sessionId, `${asked.prompt}!`)];
    session.asking = steps ? undefined : id;
    const tokens = { input_tokens: 10, output_tokens: 2 };
    return steps ? [...steps, result(id, { stopReason: 'end_turn', _meta: { quota: { token_count: tokens } } })] : [];
  }
}
