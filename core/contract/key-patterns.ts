/** A cut text may end in the middle of a key: this much of the beginning identifies the key. */
const TELLING_LENGTH = 16;
/** The same in base64, which needs four characters for three. Some keys begin with 12 characters that all keys have. */
const TELLING_BASE64_LENGTH = 28;
/** How long one expression is at most. Speed: V8 optimizes none of over 20 KiB, which is a thousand times slower. */
const EXPRESSION_LENGTH = 16_000;

/** Expressions for keys, whole, cut or encoded. The longest key comes first: another one may be its beginning. */
export function keyPatterns(keys: readonly string[]): RegExp[] {
  const groups: Form[][] = [];
  let length = Infinity;
  for (const forms of keys.map(formsOf)) {
    const more = forms.reduce((sum, { whole, beginning = '' }) => sum + whole.length + beginning.length + 2, 0);
    length += more;
    if (length > EXPRESSION_LENGTH) {
      groups.push([]);
      length = more;
    }
    groups.at(-1)?.push(...forms);
  }
  return groups.map(patternOf);
}

function patternOf(forms: Form[]): RegExp {
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

function formsOf(secret: string): Form[] {
  return [...plainForms(secret), ...base64Forms(secret)];
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
