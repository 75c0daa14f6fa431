import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call, DriverContext, Session } from 'drivebay/plugin';
import type { CliOptions, SessionNotes } from '../_shared/cli/cli-run';
import { accountMark, keepsSession, type SessionOptions } from '../_shared/cli/own-session';
import { fieldsOf, numberOf, parseJson, textOf } from '../_shared/fields';
import { homeFolder } from '../_shared/home-folder';

export type Options = CliOptions & SessionOptions;

interface OwnSession {
  account: string;
  /** The chat to continue. Absent for a new one. */
  id?: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
/** The program may write for some seconds after its answer. */
const LATE_MS = 30_000;

/** Undefined where no later run is to go on in the chat. */
export async function ownSession(
  context: Pick<DriverContext<Options>, 'options' | 'apiKey'>,
  call: Call,
  earlier: Session | undefined,
): Promise<OwnSession | undefined> {
  if (!keepsSession(call, context.options)) return undefined;
  const account = await accountOf(context);
  const { id: told, ended, account: of } = earlier?.state ?? {};
  const [id, at] = [textOf(told) ?? '', numberOf(ended)];
  if (!ID.test(id) || at === undefined || of !== account) return { account };
  const written = await lastWritten(id);
  return written !== undefined && written <= at + LATE_MS ? { account, id } : { account };
}

/** Notes the id of a chat. */
export class OwnSessionNotes implements SessionNotes {
  private id: string | undefined;

  constructor(private readonly account: string) {}

  read(json: unknown): void {
    this.id = textOf(fieldsOf(json).session_id) ?? this.id;
  }

  state(): Record<string, unknown> | undefined {
    const { id, account } = this;
    return id === undefined ? undefined : { id, ended: Date.now(), account };
  }
}

/** When the chat was written last. Undefined where it is not there. */
async function lastWritten(id: string): Promise<number | undefined> {
  const { CURSOR_CONFIG_DIR: config, XDG_CONFIG_HOME: xdg } = process.env;
  const configs = xdg || join(homeFolder(), '.config');
  const roots = [cursorFolder(), join(configs, 'Cursor'), join(configs, 'cursor'), ...(config ? [config] : [])];
  const times: number[] = [];
  for (const root of new Set(roots.map((each) => join(each, 'chats')))) {
    for (const workspace of await readdir(root).catch(() => [])) {
      const folder = join(root, workspace, id);
      for (const name of await readdir(folder).catch(() => [])) {
        const found = await stat(join(folder, name)).catch(() => undefined);
        if (found) times.push(found.mtimeMs);
      }
    }
  }
  return times.length === 0 ? undefined : Math.max(...times);
}

function cursorFolder(): string {
  return join(homeFolder(), '.cursor');
}

/** Names the account that the program uses, as far as its files tell. */
async function accountOf({ options, ...context }: Pick<DriverContext<Options>, 'options' | 'apiKey'>): Promise<string> {
  const file = join(process.env.CURSOR_CONFIG_DIR || cursorFolder(), 'cli-config.json');
  const { authInfo } = fieldsOf(parseJson(await readFile(file, 'utf8').catch(() => '')));
  const { authId, userId, email } = fieldsOf(authInfo);
  return accountMark([options.api_key_env, context.apiKey(), authId, userId, email]);
}
