import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { ProgramEnded } from '../../_shared/cli/warm/program-ended';
import type { Servers } from '../../_shared/cli/warm/servers';
import { within } from '../../_shared/cli/warm/within';
import { fieldsOf, spelled, textOf, type Fields } from '../../_shared/fields';
import type { AcpProgram } from './acp-program';
import { AcpSession } from './acp-session';
import type { ToolAccess, ToolServer } from './tool-server';
import type { ToldTurn } from './turns';

const MADE_WITHIN_MS = 20_000;
const REPEATED_WITHIN_MS = 10_000;
const LISTED_WITHIN_MS = 20_000;
/** Updates with which a program repeats a session. */
const REPEATED = ['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call'];

/** What a session begins with. */
interface Beginning {
  /** The text of the system prompt; empty where the program has one for all sessions. */
  system: string;
  turns: readonly ToldTurn[];
  /** Tools of the client. */
  tools?: { list: readonly Fields[]; server: ToolServer };
  /** Where it is not the one that the program was started with. */
  model?: string;
}

/** Makes sessions, one after the other, and has one ready for each program. */
export class SessionMaker {
  private readonly prepared = new WeakMap<AcpProgram, { system: string; session: Promise<AcpSession | undefined> }>();

  constructor(private readonly servers: Servers<AcpProgram>) {}

  /** Rejects when the program does not make it. */
  async make(program: AcpProgram, beginning: Beginning): Promise<AcpSession> {
    const session = (await this.takePrepared(program, beginning)) ?? (await this.open(program, beginning));
    return withModel(session, beginning);
  }

  /** Makes one for the next chat with this system prompt and model. Never rejects. */
  prepare(program: AcpProgram, next: Pick<Beginning, 'system' | 'model'>): void {
    const { system } = next;
    const old = this.prepared.get(program);
    if (program.isGone || program.isWorn || old?.system === system) return;
    void old?.session.then((unused) => unused?.stop());
    const opened = this.open(program, { system, turns: [] });
    const session = opened.then((made) => withModel(made, next)).catch(() => undefined);
    this.prepared.set(program, { system, session });
  }

  private async takePrepared(
    program: AcpProgram,
    { system, turns, tools, model }: Beginning,
  ): Promise<AcpSession | undefined> {
    if (turns.length > 0 || tools) return undefined;
    const ready = this.prepared.get(program);
    this.prepared.delete(program);
    const session = await ready?.session;
    if (ready?.system === system && session?.mayHave(model)) return session;
    void session?.stop();
    return undefined;
  }

  private async open(program: AcpProgram, beginning: Beginning): Promise<AcpSession> {
    const { tools } = beginning;
    const made: { session?: AcpSession } = {};
    const access = await tools?.server.open(tools.list, (call) => made.session?.onCall(call));
    const opening = program.inTurn(() => this.openNow(program, beginning, access));
    try {
      const id = await within(opening, MADE_WITHIN_MS, 'it made no session');
      made.session = new AcpSession(program, id, this.servers);
      if (!access) return made.session;
      made.session.own(access);
      // It says that the session is there before it has asked for its tools, and the model would see none.
      if (program.dialect === 'qwen') {
        const listed = Promise.race([access.listed, program.gone]);
        await within(listed, LISTED_WITHIN_MS, 'it did not ask for the tools');
        if (program.isGone) throw new ProgramEnded(program.program);
      }
      return made.session;
    } catch (error) {
      void made.session?.stop();
      access?.close();
      throw error;
    }
  }

  private async openNow(
    program: AcpProgram,
    { system, turns }: Beginning,
    access: ToolAccess | undefined,
  ): Promise<string> {
    const { cwd, files, systemFile } = program;
    const mcpServers = access ? [access.server] : [];
    program.sessions += 1;
    if (program.system !== system) {
      program.system = undefined;
      await writeFile(systemFile, system, { mode: 0o600 });
      program.system = system;
    }
    if (turns.length === 0) {
      const { sessionId } = await program.request('session/new', { cwd, mcpServers });
      const id = textOf(sessionId);
      if (id === undefined) throw new Error('it gave a session no name');
      program.sessionIds.push(id);
      return id;
    }
    const id = randomUUID();
    program.sessionIds.push(id);
    try {
      const isRepeated = repetition(program, id, await files.write(id, turns));
      await program.request('session/load', { sessionId: id, cwd, mcpServers });
      // It goes on with it after its answer, and even while it answers the prompt.
      await within(isRepeated, REPEATED_WITHIN_MS, 'it did not repeat the session');
    } finally {
      program.listen(id, undefined);
      files.remove(id);
    }
    return id;
  }
}

async function withModel(session: AcpSession, { model }: Pick<Beginning, 'model'>): Promise<AcpSession> {
  try {
    if (model !== undefined) await session.setModel(model);
    return session;
  } catch (error) {
    await session.stop();
    throw error;
  }
}

function repetition(program: AcpProgram, sessionId: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    if (left === 0) resolve();
    program.listen(sessionId, ({ json }) => {
      const { sessionUpdate } = fieldsOf(fieldsOf(fieldsOf(json).params).update);
      if (REPEATED.includes(spelled(sessionUpdate)) && --left === 0) resolve();
    });
  });
}
