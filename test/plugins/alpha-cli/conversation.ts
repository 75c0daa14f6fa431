import type { CliConversation, CliRunRecord, CliStep } from 'drivebay/testing';
import { init, result } from './lines';

type Fields = Record<string, unknown>;

/** A line that the driver writes to a program that holds a conversation. */
export interface SentLine {
  type: string;
  request_id?: string;
  request?: Fields;
  message?: { role: string; content: unknown };
  shouldQuery?: boolean;
  response?: Fields;
}

export const isSession = ({ argv }: CliRunRecord): boolean => argv.includes('--input-format');

export const sentBy = (run: CliRunRecord): SentLine[] => run.lines.map((line) => JSON.parse(line) as SentLine);

/** The texts of a line, joined. */
export function textIn({ message }: SentLine): string {
  const { content } = message ?? { content: '' };
  if (typeof content === 'string') return content;
  return (content as Fields[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

export interface Script {
  /** The steps for a message that asks for an answer. */
  answer: (line: SentLine, run: CliRunRecord) => CliStep[];
  /** The steps for a setting; by default it is accepted. */
  control?: (line: SentLine, run: CliRunRecord) => CliStep[] | undefined;
  /** The steps for the result of a tool, by the model's id of the call. */
  result?: (id: string, content: Fields[], run: CliRunRecord) => CliStep[];
}

const LIST = 'the list of tools';

/** How the program speaks while its input stays open. It asks for the tools of a server before it asks its model. */
export function conversation({ answer, control, result: resultOf }: Script): CliConversation {
  const held = new Map<CliRunRecord, SentLine>();
  const listing = new Set<CliRunRecord>();
  const begin = (line: SentLine, run: CliRunRecord): CliStep[] => [init(), ...answer(line, run)];
  return {
    isOne: isSession,
    answer(text, run) {
      const line = JSON.parse(text) as SentLine;
      if (line.type === 'control_request') {
        const steps = control?.(line, run) ?? [accepts(line)];
        if (!line.request?.sdkMcpServers) return steps;
        listing.add(run);
        return [...steps, asks('hello', 'initialize', { protocolVersion: '2025-11-25' }), asks(LIST, 'tools/list')];
      }
      if (line.type === 'control_response') {
        const { request_id: id } = line.response!;
        if (id === 'hello') return [];
        if (id !== LIST) return resultOf?.(String(id), contentOf(line), run) ?? [];
        listing.delete(run);
        const waiting = held.get(run);
        held.delete(run);
        return waiting ? begin(waiting, run) : [];
      }
      if (line.type !== 'user') return [];
      if (line.shouldQuery === false) return [init(), result('', { num_turns: 0 })];
      if (!listing.has(run)) return begin(line, run);
      held.set(run, line);
      return [];
    },
  };
}

/** What the driver has set in the program. */
export function settingsIn(run: CliRunRecord): { systemPrompt?: string; variables: Record<string, string> } {
  const requests = sentBy(run).flatMap(({ request }) => (request ? [request] : []));
  const [systemPrompt] = requests.flatMap(({ systemPrompt }) => (systemPrompt as string[] | undefined) ?? []);
  const settings = requests.map(({ settings }) => settings as { env?: Record<string, string> } | undefined);
  return { systemPrompt, variables: Object.assign({}, ...settings.map((each) => each?.env)) as Record<string, string> };
}

/** The tools that the driver has listed for the program. */
export function toolsIn(run: CliRunRecord): Fields[] {
  const listed = sentBy(run).find(({ response }) => response?.request_id === LIST);
  return (messageIn(listed)?.tools as Fields[] | undefined) ?? [];
}

/** The program asks for a tool to be run: a call of the model, with its id. */
export const asksFor = (id: string, name: string, args: Fields = {}): Fields =>
  asks(id, 'tools/call', { name, arguments: args, _meta: { 'claudecode/toolUseId': id } });

function asks(id: string, method: string, params: Fields = {}): Fields {
  const message = { jsonrpc: '2.0', id, method, params };
  return {
    type: 'control_request',
    request_id: id,
    request: { subtype: 'mcp_message', server_name: 'drivebay_client', message },
  };
}

const contentOf = (line: SentLine): Fields[] => (messageIn(line)?.content as Fields[] | undefined) ?? [];

function messageIn(line: SentLine | undefined): Fields | undefined {
  const response = line?.response?.response as Record<string, Fields> | undefined;
  return response?.mcp_response?.result as Fields | undefined;
}

export const accepts = ({ request_id }: SentLine): Fields => ({
  type: 'control_response',
  response: { subtype: 'success', request_id },
});

export const refuses = ({ request_id }: SentLine): Fields => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error: 'Unknown control request' },
});
