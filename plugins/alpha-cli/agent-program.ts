import type { JsonLine, Subprocess } from 'drivebay/plugin';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import { fieldsOf, spelled } from '../_shared/fields';
import { InputProgram } from './input-program';

/** With one of these lines the program begins to work. */
const WORK = ['init', 'stream_event', 'assistant'];

/** The program of an agent that takes what its user says as lines, so that it can stay for the next process of the conversation. */
export class AgentProgram extends InputProgram {
  /** Commands and agents that the agent has left in the background. */
  private readonly tasks = new Set<string>();

  /** `key`: what the program was started with. */
  constructor(
    program: Subprocess,
    readonly key: string,
  ) {
    super(program);
  }

  /**
   * Whether nothing of it works, or holds something, while it waits. The end of a task in the background makes the program ask
   * its model again. Tool servers of the user and what commands have left may hold a port or a browser.
   */
  async mayRest(): Promise<boolean> {
    return this.tasks.size === 0 && (await this.program.isAlone());
  }

  /** Begins a turn: the lines go to it. */
  begin(turn: TurnLines, text: string): void {
    this.turn = turn;
    const message = { role: 'user', content: [{ type: 'text', text }] };
    this.send({ type: 'user', message, parent_tool_use_id: null });
  }

  protected take(line: JsonLine): void {
    const { type, subtype, task_id: task, patch, num_turns: turns, request_id: question } = fieldsOf(line.json);
    if (type === 'control_request') return this.refuse(question);
    const about = spelled(type === 'system' ? subtype : type);
    // An agent must not go on when its process has ended: it would act and cost something, and no one would see it.
    if (!this.turn && WORK.includes(about)) void this.stop();
    if (about === 'task_started') this.tasks.add(spelled(task));
    const hasEnded = about === 'task_updated' && fieldsOf(patch).end_time !== undefined;
    if (hasEnded || about === 'task_notification') this.tasks.delete(spelled(task));
    // A command that it has answered itself. With nothing else to do it ends, as a run with one prompt does.
    if (about === 'result' && turns === 0) this.program.end();
    this.turn?.push(line);
  }

  /** For a question, such as one of a tool server: without a word the program would wait. */
  private refuse(id: unknown): void {
    const response = { subtype: 'error', request_id: id, error: 'this client does not do that' };
    this.send({ type: 'control_response', response });
  }

  protected override leave(failure?: Error): void {
    this.turn?.end(failure);
  }
}
