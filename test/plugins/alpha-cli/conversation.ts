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
  /** The steps for the answer to a question of the program, such as the result of a tool. */
  response?: (line: SentLine, run: CliRunRecord) => CliStep[];
}

/** How the program speaks while its input stays open. */
export function conversation({ answer, control, response }: Script): CliConversation {
  return {
    isOne: isSession,
    answer(text, run) {
      const line = JSON.parse(text) as SentLine;
      if (line.type === 'control_request') return control?.(line, run) ?? [accepts(line)];
      if (line.type === 'control_response') return response?.(line, run) ?? [];
      if (line.type !== 'user') return [];
      if (line.shouldQuery === false) return [init(), result('', { num_turns: 0 })];
      return [init(), ...answer(line, run)];
    },
  };
}

export const accepts = ({ request_id }: SentLine): Fields => ({
  type: 'control_response',
  response: { subtype: 'success', request_id },
});

export const refuses = ({ request_id }: SentLine): Fields => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error: 'Unknown control request' },
});
