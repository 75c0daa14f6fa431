/** Shorter values would turn ordinary words into noise. */
const MINIMUM_LENGTH = 8;
/** A cut text may end in the middle of a key: this much of the beginning identifies the key. */
const TELLING_LENGTH = 16;
/** The same in base64, which needs four characters for three. Some keys begin with 12 characters that all keys have. */
const TELLING_BASE64_LENGTH = 28;
const MASK = '[redacted]';
/** A name as our own records have. If a key is such a word, as `provider` may be for a local server, they stay whole. */
const PLAIN_NAME = /^[a-z]{1,20}$/i;

/** A longer key is taken out in pieces of this length: an expression for all of it at once can be too large. */
const PIECE_LENGTH = 1000;
/** How many characters of keys one expression has at most. Few users have so many keys that there are two. */
const EXPRESSION_LENGTH = 4000;
/** How many secrets of the run time are known: tokens are renewed, as long as the daemon runs. */
const PASSING_AT_MOST = 100;
/** What stands around a key that was not copied alone. A server may repeat the key without it. */
const AROUND = /^\s*(?:Bearer\s+)?["'`]?|["'`]?\s*$/gi;

/** Knows every resolved key, and takes it out of each text that is printed, logged or sent as an error. */
export class Redactor {
  private readonly secrets = new Set<string>();
  /** The oldest first. */
  private readonly passing = new Set<string>();
  private patterns: RegExp[] = [];

  /** `isPassing`: others take its place in time. */
  add(secret: string, isPassing = false): void {
    const texts = [secret, secret.replace(AROUND, '')].flatMap(piecesOf);
    // One that is told again becomes the newest.
    if (isPassing) for (const text of texts) if (this.passing.delete(text)) this.passing.add(text);
    const isKnown = (text: string) => this.secrets.has(text) || (isPassing && this.passing.has(text));
    const unknown = texts.filter((text) => text.length >= MINIMUM_LENGTH && !isKnown(text));
    if (unknown.length === 0) return;
    for (const text of unknown) (isPassing ? this.passing : this.secrets).add(text);
    for (const oldest of [...this.passing].slice(0, -PASSING_AT_MOST)) this.passing.delete(oldest);
    const longestFirst = [...new Set([...this.secrets, ...this.passing])].sort((a, b) => b.length - a.length);
    this.patterns = inGroups(longestFirst).map(patternOf);
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

function piecesOf(secret: string): string[] {
  return secret.match(new RegExp(`[^]{1,${PIECE_LENGTH}}`, 'gu')) ?? [];
}

function inGroups(secrets: string[]): string[][] {
  const groups: string[][] = [];
  let length = Infinity;
  for (const secret of secrets) {
    length += secret.length;
    if (length > EXPRESSION_LENGTH) {
      groups.push([]);
      length = secret.length;
    }
    groups.at(-1)?.push(secret);
  }
  return groups;
}

function patternOf(secrets: string[]): RegExp {
  const forms = secrets.flatMap((each) => [...plainForms(each), ...base64Forms(each)]);
  const wholes = forms.map(({ whole }) => whole);
  const beginnings = forms.flatMap(({ beginning }) => beginning ?? []);
  return new RegExp([...wholes, ...beginnings].join('|'), 'g');
}

/** Patterns of one way to write a key. */
interface Form {
  whole: string;
  /** For a key that was cut. */
  beginning?: string;
}

/** A key as it is, or inside of a JSON text or a URL. */
function plainForms(secret: string): Form[] {
  const texts = new Set([secret, JSON.stringify(secret).slice(1, -1)]);
  return [...texts].map((text) => makeForm([...text].map(plainOrEncoded), TELLING_LENGTH, ['', '']));
}

function makeForm(characters: string[], tellingLength: number, [before, behind]: [string, string]): Form {
  const whole = before + characters.join('') + behind;
  if (characters.length <= tellingLength) return { whole };
  return { whole, beginning: `${before}${characters.slice(0, tellingLength).join('')}[\\w.+/=%-]*` };
}

/** Encoders differ in the characters that they leave alone, and in the case of the digits. */
function plainOrEncoded(character: string): string {
  const plain = character.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (/[A-Za-z0-9]/.test(character)) return plain;
  const digits = [...Buffer.from(character).toString('hex')].map((digit) => `[${digit}${digit.toUpperCase()}]`);
  const encoded = digits.map((digit, index) => (index % 2 === 0 ? `%${digit}` : digit)).join('');
  return `(?:${plain}|${encoded})`;
}

/** A key in base64, in either alphabet. Inside of more, as in `user:key`, it can begin at three places of a group. */
function base64Forms(secret: string): Form[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last character may hold bits of the neighbours.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const characters = [...text.slice(first, last)].map((character) =>
      character === '+' ? '(?:[+-]|%2[Bb])' : character === '/' ? '(?:[/_]|%2[Ff])' : character,
    );
    const start = before === 0 ? '' : '[A-Za-z0-9+/_-]?';
    // At the end of a group the next character belongs to the next piece alone.
    const end = (before + bytes.length) % 3 === 0 ? '' : '[A-Za-z0-9+/_-]?(?:=|%3[Dd]){0,2}';
    return makeForm(characters, TELLING_BASE64_LENGTH, [start, end]);
  });
}
