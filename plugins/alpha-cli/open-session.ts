import type { DriverContext, Message, PromptLayout, ToolResultPart } from 'drivebay/plugin';
import { resultBlocks } from '../_shared/cli/client-tools/client-tools';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import { isInstruction } from '../_shared/http/message-parts';
import type { ClientTools } from './client-tools';
import { limitVariables } from './environment';
import { assistantLine, textBlock, toTurns, type Turn, userLine } from './history';
import type { Session } from './session';
import { SERVER } from './session-kind';
import { ToolServer } from './tool-server';

/** What a new program gets for its first answer: the tools of the client, the system prompt and the turns. */
export interface Opening {
  client: ClientTools;
  system: string | undefined;
  turns: readonly Turn[];
}

/** `lay` lays out the conversation as one text, where its messages fit no turns. It refuses what fits no text. */
export function toOpening(
  client: ClientTools,
  context: Pick<DriverContext, 'layoutPrompt'>,
  lay: () => PromptLayout,
): Opening {
  const { messages } = client.request;
  const turns = toTurns(messages);
  if (!turns) {
    const { system, prompt } = lay();
    return { client, system, turns: [{ role: 'user', content: [textBlock(prompt)] }] };
  }
  const instructions = messages.filter(isInstruction);
  const asked: Message = { role: 'user', parts: [{ type: 'text', text: '-' }] };
  const { system } = context.layoutPrompt([...instructions, asked], { separateSystem: true });
  return { client, system, turns };
}

/** Writes everything, and begins the chat. `withinMs`: how long the program may take to take the first setting. */
export async function openSession(
  session: Session,
  { client, system, turns }: Opening,
  turn: TurnLines,
  withinMs?: number,
): Promise<void> {
  const { request, tools } = client;
  const setting = { ...(system !== undefined && { systemPrompt: [system] }) };
  if (tools.length > 0) session.server = new ToolServer(tools);
  const greeting = { subtype: 'initialize', ...(session.server && { sdkMcpServers: [SERVER] }), ...setting };
  const settings = [session.control(greeting, withinMs)];
  const env = limitVariables(request);
  const budget = env.MAX_THINKING_TOKENS;
  if (Object.keys(env).length > 0) settings.push(setEnvironment(session, env));
  if (budget !== undefined) settings.push(setThinking(session, Number(budget)));
  // The API takes no results of a model that thinks without its thoughts, and those are gone.
  else if (turns.at(-1)!.content.some(({ type }) => type === 'tool_result')) settings.push(bend(session));
  settings.push(adjustSession(session, client));
  const tell = async (): Promise<void> => {
    for (const earlier of turns.slice(0, -1)) {
      // The program queues what a user says, and takes what a model has said at once.
      if (earlier.role === 'user') await session.tell(userLine(earlier, false));
      else session.write(assistantLine(earlier, request.model));
    }
    await session.begin(turn, () => session.write(userLine(turns.at(-1)!, true)));
  };
  // A program that does not take its settings is given up at once, and not only when it has not taken the history either.
  await Promise.all([...settings, tell()]);
}

/** Sets what differs from request to request of one conversation. */
export async function adjustSession(session: Session, { extraBody, isForced }: ClientTools): Promise<void> {
  if (session.extraBody === extraBody) return;
  session.extraBody = extraBody;
  const settings = [setEnvironment(session, { CLAUDE_CODE_EXTRA_BODY: extraBody })];
  if (isForced) settings.push(bend(session));
  await Promise.all(settings);
}

/** Hands over the results that the program waits for. */
export async function answerCalls(
  session: Session,
  { calls, results }: { calls: ReadonlyMap<string, string>; results: readonly ToolResultPart[] },
  client: ClientTools,
  turn: TurnLines,
): Promise<void> {
  // First, because the program asks its model again at once: a choice holds for one answer only.
  await adjustSession(session, client);
  const replies = results.map((result) => session.server?.settle(calls.get(result.callId)!, resultBlocks(result)!));
  if (replies.includes(undefined)) throw new Error('it does not wait for the result any more');
  await session.begin(turn, () => {
    for (const reply of replies) session.reply(reply!.requestId, reply!.response);
  });
}

function setEnvironment(session: Session, env: Record<string, string>): Promise<void> {
  return session.control({ subtype: 'apply_flag_settings', settings: { env } });
}

function setThinking(session: Session, tokens: number): Promise<void> {
  return session.control({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens });
}

function bend(session: Session): Promise<void> {
  session.isBent = true;
  return setThinking(session, 0);
}
