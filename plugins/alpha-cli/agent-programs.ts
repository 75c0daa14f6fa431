import { basename } from 'node:path';
import type { Call, DriverContext, Session, SpawnOptions } from 'drivebay/plugin';
import { folderOf } from '../_shared/cli/cli-run';
import type { TakenChat } from '../_shared/cli/warm/begin-turn';
import { KeptHolders } from '../_shared/cli/warm/kept-holders';
import { startLive } from '../_shared/cli/warm/live-program';
import type { ChatEnd } from '../_shared/cli/warm/next-turns';
import { kindOf } from '../_shared/cli/warm/spare';
import { AgentProgram } from './agent-program';
import { type CommandLineParts, toCommandLine } from './command-line';
import { EventReader, type EventReaderOptions } from './event-reader';
import { beginChat } from './input-program';
import type { Options } from './environment';
import type { OwnSessionNotes } from './own-session';
import { readAtStart } from './read-at-start';

/** A program with its tools takes 200 MB. */
const MOST = 2;
/** How long a program that is not kept may take to end by itself. */
const PATIENCE_MS = 2_000;

/** The work of one agent process. */
interface AgentWork {
  call: Call;
  path: string;
  parts: CommandLineParts;
  spawn: SpawnOptions;
  prompt: string;
  system: string | undefined;
  reading: EventReaderOptions;
  notes: OwnSessionNotes;
  /** The session to continue, as the driver reported it. */
  earlier: Session['state'] | undefined;
  /** Takes away what was written for the start of the program. */
  release: () => void;
}

/** The programs of agents, which stay for a while for the processes that continue their conversations. */
export class AgentPrograms {
  /** By the session and its last message: a session may have gone on in a run without the program. */
  private readonly kept: KeptHolders<AgentProgram>;

  constructor(private readonly context: DriverContext<Options>) {
    const forMs = context.options.warm_idle_sec * 1000;
    this.kept = new KeptHolders(context, { state: 'conversation', most: MOST, forMs });
  }

  async begin(work: AgentWork): Promise<TakenChat> {
    const { call, path, prompt, reading, notes } = work;
    const key = await keyOf(work);
    const kept = await this.take(work.earlier, key);
    const program = kept ?? (await this.start(work, key));
    const events = new EventReader({ ...reading, spent: program });
    const chat = { call, name: basename(path), program, events };
    try {
      return await beginChat(this.context, chat, {
        warm: kept ? 'resumed' : 'cold',
        ask: (_, turn) => Promise.resolve(program.begin(turn, prompt)),
        read: () => events,
        settle: (end) => this.settle(end, work, notes.state()),
      });
    } catch (error) {
      work.release();
      await program.stop();
      throw error;
    }
  }

  /** The program that holds the session, for the caller alone. One that was started otherwise ends first: two must not go on with one session. */
  private async take(session: Session['state'] | undefined, key: string): Promise<AgentProgram | undefined> {
    const kept = this.kept.take(session && markOf(session));
    if (kept?.key === key) return kept;
    await kept?.stop();
    return undefined;
  }

  private async start({ call, path, parts, spawn, release }: AgentWork, key: string): Promise<AgentProgram> {
    const args = toCommandLine({ ...parts, staysOpen: true });
    // Until it is kept it is a program of the call.
    const own = { ...spawn, cwd: folderOf(call), signal: call.signal };
    const program = await startLive(
      (listener) => this.context.spawn(path, args, { ...own, ...listener }),
      (spawned) => new AgentProgram(spawned, key),
    ).catch((error: Error) => {
      release();
      throw error;
    });
    void program.gone.then(() => {
      if (this.kept.forget(program)) void program.warnOfEnd(this.context);
    });
    return program;
  }

  /** Resolves when the program is kept, or ends in its own time; after a failure, when it has ended. */
  private async settle(
    { holder, said: { outcome } }: ChatEnd<AgentProgram>,
    { call, release }: AgentWork,
    session: Session['state'] | undefined,
  ): Promise<void> {
    release();
    if (outcome?.type !== 'answer' || call.signal.aborted) return holder.stop();
    const isWhole = outcome.finish === 'stop' && session !== undefined;
    if (isWhole && (await holder.mayRest())) this.kept.keep([markOf(session)], holder);
    else void holder.program.stop({ patienceMs: PATIENCE_MS });
  }
}

function markOf({ id, last }: Session['state']): string {
  return JSON.stringify([id, last]);
}

/** Differs where a program that is started now would not be as the other one. */
async function keyOf({ call, path, parts, spawn, system, notes }: AgentWork): Promise<string> {
  const folder = folderOf(call);
  const args = toCommandLine({ ...parts, file: undefined, resume: undefined });
  const read = folder && (await readAtStart(folder));
  return kindOf(path, [args, spawn, system, notes.account, folder, read]).key;
}
