import { keyPatterns } from './key-patterns';

/** Shorter values would turn ordinary words into noise. */
const MINIMUM_LENGTH = 8;
const MASK = '[redacted]';
/** A word that our own records use. If a key is such a word, as `provider` may be for a local server, the records stay readable. */
const PLAIN_NAME = /^[a-z]{1,20}$/i;

/** A longer key is taken out in pieces of this length: an expression for all of it at once can be too large. */
const PIECE_LENGTH = 1000;
/** How many secrets of the run time are known: tokens are renewed, as long as the daemon runs, and each costs time in every text. */
const PASSING_AT_MOST = 20;
/** What stands around a key that was not copied alone. A server may repeat the key without it. */
const AROUND = /^\s*(?:Bearer\s+)?["'`]?|["'`]?\s*$/gi;

/** Knows every resolved key, and takes it out of each text that is printed, logged or sent as an error. */
export class Redactor {
  private readonly secrets = new Set<string>();
  /** The one that was not told again for the longest first. */
  private readonly passing = new Set<string>();
  private patterns: RegExp[] = [];

  /** `isPassing`: others take its place in time. */
  add(secret: string, isPassing = false): void {
    if (isPassing && this.passing.delete(secret)) return void this.passing.add(secret);
    const unknown = textsOf(secret).filter((text) => !this.secrets.has(text));
    if (unknown.length === 0) return;
    if (isPassing) this.passing.add(secret);
    else for (const text of unknown) this.secrets.add(text);
    for (const oldest of [...this.passing].slice(0, -PASSING_AT_MOST)) this.passing.delete(oldest);
    const texts = new Set([...this.secrets, ...[...this.passing].flatMap(textsOf)]);
    const longestFirst = [...texts].sort((one, other) => other.length - one.length);
    this.patterns = keyPatterns(longestFirst);
  }

  redact(text: string): string {
    return this.patterns.reduce((rest, pattern) => rest.replace(pattern, MASK), text);
  }

  /** A redacted copy of plain data, names of fields included if they are not plain words. It holds only what JSON can hold; a circle throws. */
  redactData<Data>(data: Data): Data {
    const text = JSON.stringify(data, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    return JSON.parse(
      text,
      this.patterns.length > 0 ? (_name, value: unknown) => this.redactValue(value) : undefined,
    ) as Data;
  }

  /** JSON.parse visits inner values first, so the fields of an object are redacted already. */
  private redactValue(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        PLAIN_NAME.test(name) ? name : this.redact(name),
        field as unknown,
      ]),
    );
  }
}

/** What is taken out of texts for a secret. */
function textsOf(secret: string): string[] {
  const texts = [secret, secret.replace(AROUND, '')].flatMap(piecesOf);
  return texts.filter((text) => text.length >= MINIMUM_LENGTH);
}

function piecesOf(secret: string): string[] {
  return secret.match(new RegExp(`[^]{1,${PIECE_LENGTH}}`, 'gu')) ?? [];
}
