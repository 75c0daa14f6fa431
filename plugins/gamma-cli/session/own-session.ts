import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call, DriverContext, Session, Usage } from 'drivebay/plugin';
import { accountMark, keepsSession, lastLine } from '../../_shared/cli/own-session';
import { type Fields, fieldsOf, numberOf, parseJson, textOf } from '../../_shared/fields';
import type { Cli } from '../cli';
import type { Options } from '../environment';
import { ownFile, parseSettings, projectsFolder } from '../own-folder';
import { messageUsage } from '../usage';
import type { SessionNotes } from '../../_shared/cli/cli-run';
import { GeminiConversation } from './gemini-conversation';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
/** Each of them decides who gets the conversation. */
const VARIABLES = [
  ...['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
  ...['GOOGLE_CLOUD_PROJECT', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
];
/** The settings that choose an account, a service or a model. */
const CHOOSING = ['security', 'env', 'model', 'modelProviders'];

export interface OwnSession {
  /** The account that the session of a run is of. Absent where the program is to keep none. */
  account?: string;
  /** The arguments that go on with an earlier one. */
  resume?: string[];
  /** What was written for that. */
  folder?: string;
  /** The tokens of the earlier ones, where the program counts them once more. */
  before?: Usage;
}

type Kept = Pick<DriverContext<Options>, 'options' | 'apiKey' | 'scratch'>;

export async function ownSession(
  context: Kept,
  cli: Cli,
  call: Call,
  earlier: Session | undefined,
): Promise<OwnSession> {
  if (!keepsSession(call, context.options)) return {};
  const account = await accountOf(context, cli.dialect);
  const told = earlier?.state.account === account ? await filesOf(cli.dialect, textOf(earlier.state.id) ?? '') : [];
  for (const file of told) {
    const found = cli.dialect === 'gemini' ? geminiCopy(context, file, earlier!) : qwenArguments(file, earlier!);
    const resumed = await found.catch(() => undefined);
    if (resumed) return { account, ...resumed };
  }
  return { account };
}

/** Removes what a program has kept of a session. Never rejects. */
export async function removeSession(dialect: Cli['dialect'], id: string): Promise<void> {
  for (const file of await filesOf(dialect, id)) await rm(file, { force: true }).catch(() => undefined);
}

/** A copy of the session: the program's own file would tell the results of tools twice. */
async function geminiCopy(
  context: Kept,
  file: string,
  { state }: Session,
): Promise<Pick<OwnSession, 'resume' | 'folder'> | undefined> {
  const conversation = await GeminiConversation.in(file);
  if (conversation.sessionId !== state.id || !isEnd(conversation.last, 'gemini', state)) return undefined;
  const folder = await mkdtemp(join(await context.scratch(), 'run-'));
  const copy = join(folder, 'session.jsonl');
  await writeFile(copy, conversation.toFile(), { mode: 0o600 });
  return { resume: ['--session-file', copy], folder };
}

async function qwenArguments(
  file: string,
  { state }: Session,
): Promise<Pick<OwnSession, 'resume' | 'before'> | undefined> {
  const isTurn = ({ type }: Fields): boolean => type === 'user' || type === 'assistant' || type === 'tool_result';
  const last = await lastLine(file, isTurn);
  if (!isEnd(last, 'assistant', state)) return undefined;
  return { resume: ['--resume', String(state.id)], before: messageUsage(state.tokens) };
}

/** Whether a session ends with the answer that the earlier run has given: otherwise it has gone on without us. */
function isEnd(last: Fields | undefined, type: string, state: Session['state']): boolean {
  const written = Date.parse(textOf(last?.timestamp) ?? '');
  const [began, ended] = [numberOf(state.began) ?? NaN, numberOf(state.ended) ?? NaN];
  return last?.type === type && began <= written && written <= ended;
}

/** One CLI has the whole id in the name of a file, the other its beginning. */
async function filesOf(dialect: Cli['dialect'], id: string): Promise<string[]> {
  if (!ID.test(id)) return [];
  const end = dialect === 'gemini' ? `-${id.slice(0, 8)}.jsonl` : `${id}.jsonl`;
  const root = projectsFolder(dialect);
  const folders = (await readdir(root).catch(() => [])).map((name) => join(root, name, 'chats'));
  const found = folders.map(async (folder) => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.endsWith(end)).map((name) => join(folder, name));
  });
  return (await Promise.all(found)).flat();
}

/** Names the account that the program uses. */
async function accountOf({ options, ...context }: Kept, dialect: Cli['dialect']): Promise<string> {
  const files = ['settings.json', 'google_accounts.json', '.env', '../.env'];
  const read = files.map((name) => readFile(ownFile(dialect, name), 'utf8').catch(() => ''));
  const [settings = '', accounts = '', ...more] = await Promise.all(read);
  const chosen = fieldsOf(parseSettings(settings));
  return accountMark([
    ...[options.api_key_env, context.apiKey(), options.extra_args],
    CHOOSING.map((name) => chosen[name]),
    fieldsOf(parseJson(accounts)).active,
    ...more,
    ...VARIABLES.map((name) => process.env[name]),
  ]);
}

/** Notes the id of a session, its tokens, and the time in which its last answer must have been written. */
export class OwnSessionNotes implements SessionNotes {
  /** Known from the first event on. */
  id: string | undefined;
  /** The total that Qwen Code tells of the session. */
  private tokens: unknown;
  private readonly began = Date.now();

  /** Without an account the program is to keep no session. */
  constructor(private readonly account: string | undefined) {}

  read(json: unknown): void {
    const { type, session_id: id, usage } = fieldsOf(json);
    if (type === 'init' || type === 'system') this.id = textOf(id) ?? this.id;
    if (type === 'result') this.tokens = usage;
  }

  state(): Record<string, unknown> | undefined {
    const { id, began, account, tokens } = this;
    return id === undefined || account === undefined ? undefined : { id, began, ended: Date.now(), account, tokens };
  }
}
