import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call, DriverContext, Session } from 'drivebay/plugin';
import type { SessionNotes } from '../_shared/cli/cli-run';
import { accountMark, keepsSession, lastLine } from '../_shared/cli/own-session';
import { type Fields, fieldsOf, textOf } from '../_shared/fields';
import { configFolder, readState } from './config-folder';
import { CLOUDS, type Options } from './environment';
import { SYNTHETIC } from './event-reader';

const ID = /^[0-9a-f-]{36}$/i;
/** Each of them decides who gets the conversation. */
const VARIABLES = ['ANTHROPIC_BASE_URL', ...CLOUDS];

const NO_FILE: Fields = {};

/** The account that the session of a run is of, where the program keeps it, and the id of the one to go on with. */
export async function ownSession(
  context: DriverContext<Options>,
  call: Call,
  earlier: Session | undefined,
): Promise<{ account?: string; resume?: string }> {
  if (!keepsSession(call, context.options, ['--no-session-persistence'])) return {};
  const account = await accountOf(context);
  return { account, resume: earlier && (await findSession(earlier, account)) };
}

/** Undefined where the session is not there, has gone on without us, or is of another account. */
async function findSession({ state }: Session, account: string): Promise<string | undefined> {
  const [id, last] = [textOf(state.id) ?? '', textOf(state.last)];
  if (!ID.test(id) || last === undefined || state.account !== account) return undefined;
  const projects = join(configFolder(), 'projects');
  for (const folder of await readdir(projects).catch(() => [])) {
    const found = lastLine(join(projects, folder, `${id}.jsonl`), isTurn);
    const turn = await found.catch(() => NO_FILE);
    if (turn !== NO_FILE) return turn?.uuid === last ? id : undefined;
  }
  return undefined;
}

function isTurn({ type, isSidechain }: Fields): boolean {
  return (type === 'user' || type === 'assistant') && isSidechain !== true;
}

/** Names the account that the program uses. */
async function accountOf(context: DriverContext<Options>): Promise<string> {
  const login = fieldsOf((await readState()).oauthAccount);
  const environment = VARIABLES.map((name) => process.env[name]);
  return accountMark([
    context.options.api_key_env,
    context.apiKey(),
    login.accountUuid,
    login.organizationUuid,
    ...environment,
  ]);
}

/** Notes the id of a session, and its last message of the model. */
export class OwnSessionNotes implements SessionNotes {
  private id: string | undefined;
  private last: string | undefined;

  constructor(readonly account: string) {}

  read(json: unknown): void {
    const line = fieldsOf(json);
    this.id = textOf(line.session_id) ?? this.id;
    const isOwn = line.type === 'assistant' && line.parent_tool_use_id == null;
    if (isOwn && fieldsOf(line.message).model !== SYNTHETIC) this.last = textOf(line.uuid);
  }

  state(): Record<string, unknown> | undefined {
    const { id, last, account } = this;
    return id === undefined || last === undefined ? undefined : { id, last, account };
  }
}
