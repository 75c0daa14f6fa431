import type { ChatEvent, Usage } from 'drivebay/plugin';
import { countOf, type Fields, fieldsOf, textOf } from '../fields';
import { sumOf, toUsage } from '../http/usage';

/** The texts of a run: what is said before and after a tool runs are paragraphs of one answer. */
export class Paragraphs {
  hasText = false;
  private isOpen = false;

  constructor(private readonly type: 'text' | 'reasoning' = 'text') {}

  add(text: string): ChatEvent[] {
    if (text === '') return [];
    const event: ChatEvent = { type: this.type, text: this.hasText && !this.isOpen ? `\n\n${text}` : text };
    this.hasText = true;
    this.isOpen = true;
    return [event];
  }

  /** The next text begins a paragraph. */
  end(): void {
    this.isOpen = false;
  }
}

/** A tool of the agent that begins its work. The first text among its arguments says what it does: a command, a file. */
export function toolActivity(tool: unknown, args: unknown): ChatEvent {
  const detail = Object.values(fieldsOf(args)).find((value) => textOf(value) !== undefined);
  return { type: 'activity', tool: textOf(tool) ?? 'a tool', detail: textOf(detail) };
}

interface CountNames {
  input: string;
  output: string;
  cached: string;
  written?: string;
  reasoning?: string;
  /** Whether its input count leaves out the tokens that were read from or written to the cache. */
  isUncached?: boolean;
}

/** The counts of a run, or of a message, among the fields of a program. */
export function usageOf(fields: Fields, names: CountNames): Usage | undefined {
  const count = (name: string | undefined) => (name === undefined ? undefined : countOf(fields[name]));
  const [input, cached, written] = [count(names.input), count(names.cached), count(names.written)];
  return toUsage({
    inputTokens: names.isUncached ? sumOf(input, cached, written) : input,
    outputTokens: count(names.output),
    cachedInputTokens: cached,
    cacheWriteInputTokens: written,
    reasoningTokens: count(names.reasoning),
  });
}

export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  return toUsage({
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: sumOf(one.cachedInputTokens, other.cachedInputTokens),
    cacheWriteInputTokens: sumOf(one.cacheWriteInputTokens, other.cacheWriteInputTokens),
    reasoningTokens: sumOf(one.reasoningTokens, other.reasoningTokens),
  });
}
