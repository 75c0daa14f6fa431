/** Shorter values would turn ordinary words into noise. */
const MINIMUM_LENGTH = 8;
/** A text that was cut may end in the middle of a key: so much of its beginning is enough to know it. */
const TELLING_LENGTH = 16;
const MASK = '[redacted]';

/** Knows every key that was resolved and takes it out of whatever is printed, logged or sent as an error. */
export class Redactor {
  private readonly forms = new Set<string>();
  private pattern: RegExp | undefined;

  add(secret: string): void {
    if (secret.length < MINIMUM_LENGTH || this.forms.has(secret)) return;
    // A key also travels inside JSON texts and URLs.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) this.forms.add(form);
    const longestFirst = [...this.forms].sort((a, b) => b.length - a.length);
    const beginnings = longestFirst
      .filter((form) => form.length > TELLING_LENGTH)
      .map((form) => `${escapePattern(form.slice(0, TELLING_LENGTH))}[\\w.+/=%-]*`);
    this.pattern = new RegExp([...longestFirst.map(escapePattern), ...beginnings].join('|'), 'g');
  }

  redact(text: string): string {
    return this.pattern ? text.replace(this.pattern, MASK) : text;
  }

  /**
   * A copy of plain data with every string in it redacted, names of fields included. Goes through JSON, so what JSON
   * cannot hold is left out; throws where it cannot be written at all, for example a circle.
   */
  redactData<Data>(data: Data): Data {
    const text = JSON.stringify(data, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    return JSON.parse(text, this.pattern && ((_name, value: unknown) => this.redactValue(value))) as Data;
  }

  /** Values come from the inside out, so what is in an object is done already. */
  private redactValue(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [this.redact(name), field as unknown]));
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
