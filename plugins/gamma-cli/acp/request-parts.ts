import type { ChatRequest, DriverContext } from 'drivebay/plugin';
import type { Cli } from '../cli';
import { upstreamName } from './client-tools';
import { cutsResults } from './cut-results';
import { toTurns, type Told } from './turns';

/**
 * The parts of a request. All sessions of Gemini CLI have one system prompt, so that of the client begins its first text.
 * `isLaidOut`: the conversation is one text, as it is where its messages fit no turns, or the program would cut them.
 */
export function partsOf(
  { layoutPrompt }: Pick<DriverContext, 'layoutPrompt'>,
  { messages }: ChatRequest,
  dialect: Cli['dialect'],
  isLaidOut = false,
): Told {
  const isSeparate = dialect === 'qwen';
  const rules = { toolName: (name: string) => upstreamName(name, dialect), takesImages: !isSeparate };
  const told = isLaidOut || (!isSeparate && cutsResults(messages)) ? undefined : toTurns(messages, rules);
  if (!told) {
    const { system = '', prompt } = layoutPrompt(messages, { separateSystem: isSeparate });
    return { system, turns: [], prompt };
  }
  if (isSeparate || told.system === '') return told;
  const first = told.turns[0] ?? { text: told.prompt };
  const text = `${told.system}\n\n${first.text}`;
  if (told.turns.length === 0) return { system: '', turns: [], prompt: text };
  return { system: '', turns: [{ role: 'user', text }, ...told.turns.slice(1)], prompt: told.prompt };
}
