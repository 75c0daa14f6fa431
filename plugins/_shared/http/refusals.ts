import type { Call, DriverFailure } from 'drivebay/plugin';
import { textOf, type Fields } from '../fields';
import { errorIn } from './explain-error';

type Scope = 'model' | 'server' | 'value' | 'request';

/** A sentence with which a vendor refuses a part of a request. */
export interface Refusal {
  /** Its groups, where it has any, name the parts that are meant. Global, because one answer may refuse several. */
  words: RegExp;
  /** The parts that are meant, where no group names them. */
  parts?: readonly string[];
  /**
   * How long a part is left out: from every request to the `model` (the default) or to the whole `server`, only where it has
   * that `value`, or only from this `request`.
   */
  scope?: Scope;
  /** A status besides 400 and 422 with which it is said. */
  status?: number;
}

/** The parts that are left out of a request, each with the vendor's last word on it. */
export type LeftOut = ReadonlyMap<string, string>;

interface Attempt<Answer> {
  /** The parts of the request, by the vendor's names. Asked for after a refusal only. */
  parts: () => Fields;
  send: () => Promise<Answer>;
}

/** Makes a request less what is left out. Names of the client's fields that have no effect go into `ignored`. */
type MakeAttempt<Answer> = (without: LeftOut, ignored: string[]) => Attempt<Answer>;

const NOTHING: LeftOut = new Map();
const REFUSING_STATUS = new Set<number | undefined>([400, 422]);
/** Clients name the models: only so many are remembered. The oldest makes room for a new one. */
const MODEL_LIMIT = 200;

/** Sends requests; sends a request again without the parts that its model refuses, and remembers them per model. */
export class Refusals {
  /** Replaced, never changed: a request under way goes on with what was known when it was sent. */
  private readonly models = new Map<string, LeftOut>();
  private server = NOTHING;

  /** Without the `essential` parts the answer would be to another question: the client must hear of their refusal. */
  constructor(
    private readonly refusals: readonly Refusal[],
    private readonly essential: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * `attempt` is called again for as long as the vendor refuses parts. Each time there are fewer, so this ends. The fields
   * without effect on the answer are added to `ignored`.
   */
  async send<Answer>(
    model: string,
    call: Pick<Call, 'log'>,
    ignored: string[],
    attempt: MakeAttempt<Answer>,
  ): Promise<Answer> {
    let without = joined(this.server, this.models.get(model));
    for (;;) {
      const left: string[] = [];
      const { parts, send } = attempt(without, left);
      try {
        const answer = await send();
        ignored.push(...left);
        return answer;
      } catch (error) {
        const failure = error as DriverFailure;
        const refused = this.refusedIn(failure, parts, without);
        if (!refused) throw failure;
        without = joined(without, refused.parts);
        if (refused.scope === 'server') this.server = joined(this.server, refused.parts);
        else if (refused.scope !== 'request') this.remember(model, refused.parts);
        const who = refused.scope === 'server' || model === '' ? 'the server' : `model "${model}"`;
        call.log.info(`${who} refused ${[...refused.parts.keys()].join(', ')}: asking again without`);
      }
    }
  }

  private refusedIn(
    failure: DriverFailure,
    parts: () => Fields,
    without: LeftOut,
  ): { parts: LeftOut; scope?: Scope } | undefined {
    let sentence: string | undefined;
    let sent: Fields | undefined;
    for (const { words, parts: meant, scope, status } of this.refusals) {
      if (!REFUSING_STATUS.has(failure.status) && (status === undefined || status !== failure.status)) continue;
      sentence ??= sentenceOf(failure);
      sent ??= parts();
      const refused = new Map<string, string>();
      for (const [word, ...groups] of sentence.matchAll(words)) {
        for (const name of meant ?? groups) {
          if (this.essential.has(name) || !Object.hasOwn(sent, name) || sent[name] === undefined) continue;
          const key = scope === 'value' ? keyOf(name, sent[name]) : name;
          if (!without.has(key)) refused.set(key, word);
        }
      }
      if (refused.size > 0) return { parts: refused, scope };
    }
    return undefined;
  }

  private remember(model: string, parts: LeftOut): void {
    const known = this.models.get(model);
    const [oldest] = this.models.keys();
    if (!known && oldest !== undefined && this.models.size >= MODEL_LIMIT) this.models.delete(oldest);
    this.models.set(model, joined(known, parts));
  }
}

function joined(known: LeftOut = NOTHING, parts: LeftOut = NOTHING): LeftOut {
  if (known.size === 0 || parts.size === 0) return known.size === 0 ? parts : known;
  return new Map([...known, ...parts]);
}

/** The fields that have a value and are not refused; the names of the refused ones are added to `ignored`. */
export function leaveOut(fields: Fields, without: LeftOut, ignored: string[]): Fields {
  const rest: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (without.has(name) || (without.size > 0 && without.has(keyOf(name, value)))) ignored.push(name);
    else rest[name] = value;
  }
  return rest;
}

/** The error's code and the field it names, where they are fields of their own, before the vendor's sentence. */
function sentenceOf(failure: DriverFailure): string {
  const { code, param, message } = errorIn(failure.answer);
  const head = [textOf(code), textOf(param)].filter((word) => word !== undefined).join(' ');
  const sentence = textOf(message) ?? failure.message.slice(failure.message.indexOf(': ') + 2);
  return head === '' ? sentence : `${head}: ${sentence}`;
}

/** The name of a field with one value. Objects and lists are not distinguished. */
export function keyOf(name: string, value: unknown): string {
  return typeof value === 'object' ? name : `${name}=${JSON.stringify(value)}`;
}
