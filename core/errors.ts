/** The first error classes every floor may throw. Each has a `code`; foreign errors are distinguished by theirs. */

/** What went wrong at a place in a file, and what to do about it. */
export interface Problem {
  message: string;
  /** Where: `file:line:column`, as far as known. */
  place?: Position;
  /** What the user can do. */
  hint?: string;
  /** The provider whose entry it is about. Absent: it matters to every command. */
  provider?: string;
}

export interface Position {
  file: string;
  line?: number;
  column?: number;
}

export function formatPosition({ file, line, column }: Position): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

export function formatProblem({ place, message, hint }: Problem): string {
  const where = place ? `${formatPosition(place)}: ` : '';
  return `${where}${message}${hint ? `; ${hint}` : ''}`;
}

/** The configuration cannot be used. Carries every problem found, and what is ignored; commands print all and exit with 2. */
export class ConfigError extends Error {
  readonly code = 'config_invalid';
  constructor(
    readonly problems: Problem[],
    readonly warnings: Problem[] = [],
  ) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ConfigError';
  }
}

/** The command line cannot be used: exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A failure with the command, or the step, that fixes it: exit code 1. */
export class HintedError extends Error {
  constructor(
    message: string,
    readonly hint: string | undefined,
  ) {
    super(message);
    this.name = 'HintedError';
  }
}

/** The `code` of any error, ours or foreign. Realms differ (jest, plug-ins), so never `instanceof` for foreign ones. */
export function codeOf(error: unknown): string | undefined {
  return textField(error, 'code');
}

/** Never throws: what a plug-in throws may be an object whose getters throw. */
function textField(error: unknown, field: 'code' | 'hint'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    const value = (error as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What any error says that the user can do about it. */
export function hintOf(error: unknown): string | undefined {
  return textField(error, 'hint') || undefined;
}

/** Never throws: what a plug-in throws may be an object whose getters throw, or that has no text. */
export function messageOf(error: unknown): string {
  try {
    if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
      return error.message;
    }
    const text = String(error);
    return text === '[object Promise]' ? 'a promise was thrown: write "throw await" in place of "throw"' : text;
  } catch {
    return 'an error without a text';
  }
}

const LONGEST_TEXT = 4_000;

/**
 * The beginning of what a plug-in says: it may be the whole page that its backend sent. A text that is not redacted yet needs
 * `redact` before it is cut, because half a key is not recognized.
 */
export function bounded(text: string, redact = (whole: string) => whole): string {
  if (text.length <= LONGEST_TEXT) return text;
  const safe = redact(text);
  const rest = safe.length - LONGEST_TEXT;
  return rest <= 0 ? safe : `${safe.slice(0, LONGEST_TEXT)} ... (${rest} more characters)`;
}
