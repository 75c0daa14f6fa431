import { setImmediate as nextTurn } from 'node:timers/promises';

/** Up to here, in characters, the parser of the engine is done before anybody notices. */
const SMALL = 256 * 1024;
const STEPS_PER_TURN = 10_000;
const DEEPEST = 10_000;
/** What a JSON text begins with; to throw, and to catch, takes longer than to look. */
const BEGINNING = /^\s*[-{["\dtfn]/;
const SPACE = /[ \t\r\n]*/y;
/** Numbers and literals; the engine decides what is one. */
const WORD = /[-+.\w]+/y;

/** The value of a line, or undefined for what is no JSON. A long one takes many turns, and everybody else has theirs. */
export function parseJson(text: string): unknown {
  if (!BEGINNING.test(text)) return undefined;
  if (text.length > SMALL) return parseInTurns(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses as `JSON.parse` does, with pauses: that takes seconds for a few megabytes of many small values. What is nested
 * deeper than any program means it counts as no JSON: eight million lists in each other would take gigabytes.
 */
export async function parseInTurns(text: string): Promise<unknown> {
  // To decode the line took long enough for one turn, and so may what the caller does with the value.
  await nextTurn();
  const reader = new JsonReader(text);
  try {
    for (let count = 1; !reader.isComplete; count += 1) {
      reader.step();
      if (count % STEPS_PER_TURN === 0) await nextTurn();
    }
    return reader.value;
  } catch {
    return undefined;
  } finally {
    await nextTurn();
  }
}

type Container = { list: unknown[] } | { object: Record<string, unknown>; key: string };

/** Reads a JSON text value by value, without recursion. Throws where it is none. */
class JsonReader {
  /** The last one that was read: in the end, the whole. */
  value: unknown;
  isComplete = false;
  private isPlacing = false;
  private at = 0;
  private readonly open: Container[] = [];

  constructor(private readonly text: string) {}

  /** Reads one value, opens a container, or puts the last value where it belongs. */
  step(): void {
    if (this.isPlacing) this.place();
    else this.read();
  }

  private read(): void {
    const sign = this.peek();
    if (sign === '[') {
      this.at += 1;
      if (this.skip(']')) this.take([]);
      else this.enter({ list: [] });
    } else if (sign === '{') {
      this.at += 1;
      if (this.skip('}')) this.take({});
      else this.enter({ object: {}, key: this.key() });
    } else if (sign === '"') this.take(this.string());
    else this.take(JSON.parse(this.match(WORD)));
  }

  private enter(container: Container): void {
    if (this.open.length === DEEPEST) throw new SyntaxError('nested too deeply');
    this.open.push(container);
  }

  private take(value: unknown): void {
    this.value = value;
    this.isPlacing = true;
  }

  private place(): void {
    const container = this.open.at(-1);
    if (!container) {
      if (this.peek() !== '') throw new SyntaxError('more than one value');
      this.isComplete = true;
      return;
    }
    const isList = 'list' in container;
    if (isList) container.list.push(this.value);
    else set(container.object, container.key, this.value);
    this.isPlacing = false;
    if (this.skip(',')) {
      if (!isList) container.key = this.key();
      return;
    }
    if (!this.skip(isList ? ']' : '}')) throw new SyntaxError('not closed');
    this.open.pop();
    this.take(isList ? container.list : container.object);
  }

  private key(): string {
    if (this.peek() !== '"') throw new SyntaxError('no key');
    const key = this.string();
    if (!this.skip(':')) throw new SyntaxError('no value');
    return key;
  }

  private string(): string {
    let end = this.text.indexOf('"', this.at + 1);
    while (end !== -1 && this.isEscaped(end)) end = this.text.indexOf('"', end + 1);
    if (end === -1) throw new SyntaxError('a string without an end');
    const value = JSON.parse(this.text.slice(this.at, end + 1)) as string;
    this.at = end + 1;
    return value;
  }

  private isEscaped(at: number): boolean {
    let first = at;
    while (this.text[first - 1] === '\\') first -= 1;
    return (at - first) % 2 === 1;
  }

  /** The next character that is no space; an empty text at the end. */
  private peek(): string {
    this.match(SPACE);
    return this.text.charAt(this.at);
  }

  private skip(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }
}

function set(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  // An assignment would change what the object inherits.
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
