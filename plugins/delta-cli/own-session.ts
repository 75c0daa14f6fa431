import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Call, DriverContext, Session } from 'drivebay/plugin';
import { accountMark, keepsSession } from '../_shared/cli/own-session';
import { countOf, type Fields, fieldsOf, parseJson, textOf } from '../_shared/fields';
import type { SessionNotes } from '../_shared/cli/cli-run';
import { codexConfig, codexHome } from './chat-settings';
import type { Options } from './options';

/** A session that the program keeps, as a later run needs to know it. */
export interface OwnSession {
  /** The thread that is gone on with. Absent for a new one. */
  id?: string;
  /** How many turns it has by now: with another number it has gone on without us. */
  turns: number;
  /** What the program has counted in it so far: it counts on. */
  used: Fields;
  account: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/i;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The lines that begin and end a turn. Others may hold these words as a text. */
const TURN =
  /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"event_msg","payload":\{"type":"(task_started|task_complete)"/;

/** Undefined where the program is to keep no session. */
export async function ownSession(
  context: DriverContext<Options>,
  call: Call,
  earlier: Session | undefined,
): Promise<OwnSession | undefined> {
  if (!keepsSession(call, context.options, ['--ephemeral'])) return undefined;
  const account = await accountOf(context);
  const anew = { turns: 0, used: {}, account };
  if (!earlier) return anew;
  const { state } = earlier;
  const [id, turns] = [textOf(state.id) ?? '', countOf(state.turns)];
  if (!ID.test(id) || turns === undefined || state.account !== account) return anew;
  return (await turnsOf(id)) === turns ? { id, turns, used: fieldsOf(state.used), account } : anew;
}

/** How many turns a thread has. Undefined where it is not there, or its last turn has no end. */
async function turnsOf(id: string): Promise<number | undefined> {
  const file = await findRollout(id);
  if (file === undefined) return undefined;
  let [begun, ended] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const [, type] = TURN.exec(line) ?? [];
    if (type === 'task_started') begun += 1;
    else if (type === 'task_complete') ended += 1;
  }
  return begun === ended ? begun : undefined;
}

/** The file of a thread stands in a folder of the day when it began, which its id tells. */
async function findRollout(id: string): Promise<string | undefined> {
  const began = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  for (const time of [began, began - DAY_MS, began + DAY_MS]) {
    const date = new Date(time);
    if (Number.isNaN(date.getTime())) return undefined;
    const day = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
    const folder = join(codexHome(), 'sessions', String(date.getFullYear()), ...day);
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => each.endsWith(`-${id}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

/** Names the account that the program uses, and the model that it would choose: another one reads a thread anew, for money. */
async function accountOf({ options, ...context }: DriverContext<Options>): Promise<string> {
  const text = await readFile(join(codexHome(), 'auth.json'), 'utf8').catch(() => '');
  const { OPENAI_API_KEY: key, tokens } = fieldsOf(parseJson(text));
  const { model, model_provider: name, model_providers: all } = await codexConfig();
  const provider = fieldsOf(fieldsOf(all)[String(name)]);
  const login = [key, fieldsOf(tokens).account_id];
  return accountMark([options.api_key_env, context.apiKey(), options.extra_args, login, model, name, provider]);
}

/** Notes the id of a thread, and what the program has counted in it. */
export class OwnSessionNotes implements SessionNotes {
  private id: string | undefined;
  private used: Fields = {};

  constructor(private readonly before: OwnSession) {}

  read(json: unknown): void {
    const line = fieldsOf(json);
    if (line.type === 'thread.started') this.id = textOf(line.thread_id);
    if (line.type === 'turn.completed') this.used = fieldsOf(line.usage);
  }

  state(): Record<string, unknown> | undefined {
    const { id, used, before } = this;
    return id === undefined ? undefined : { id, turns: before.turns + 1, used, account: before.account };
  }
}
