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
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
