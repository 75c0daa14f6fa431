import { randomUUID } from 'node:crypto';
import type { JsonLine, Subprocess } from 'drivebay/plugin';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import { within } from '../_shared/cli/warm/within';
import { fieldsOf, isFields, spelled, textOf, type Fields } from '../_shared/fields';
import { NOTHING_EXTRA } from './further-fields';
import { InputProgram } from './input-program';
import type { ToolServer } from './tool-server';

/** How long the program may take to say that it listens. A busy machine starts it slowly. */
const READY_WITHIN_MS = 30_000;
/** How long it may take to take a message, or a setting. */
const TAKES_WITHIN_MS = 15_000;

/**
 * One process of the program that reads its conversation from the standard input (`--input-format stream-json`). It serves
 * one conversation, then ends: its history, costs and settings cannot be taken back.
 */
export class Session extends InputProgram {
  readonly ready: Promise<void>;
  /** The tools of the client. */
  server: ToolServer | undefined;
  /** The fields that it adds to each request of its own. */
  extraBody = NOTHING_EXTRA;
  /** Whether it thinks less than its client asks for: then it holds the conversation to the end of this turn only. */
  isBent = false;
  /** Told when the program has taken the latest message: by its first line, or by the last one of a silent turn. */
  private taken: { by: 'first' | 'result'; settle: (failure?: Error) => void } | undefined;

  constructor(program: Subprocess) {
    super(program);
    // Changes nothing, and says whether the program takes settings while it runs.
    const started = this.set({ subtype: 'apply_flag_settings', settings: {} });
    this.ready = within(started, READY_WITHIN_MS, 'it is not ready');
    this.ready.catch(() => undefined);
  }

  /** Rejects when the program refuses, ends, or does not answer in time. */
  control(request: Fields, withinMs = TAKES_WITHIN_MS): Promise<void> {
    return within(this.set(request), withinMs, 'it did not take a setting');
  }

  reply(id: string, response: Fields): void {
    this.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  }

  /** Begins a chat: its lines go to the turn. `write` writes the message. Resolves when the program has taken it. */
  begin(turn: TurnLines, write: () => void): Promise<void> {
    this.turn = turn;
    return this.settled('first', write);
  }

  /** Tells the program of an earlier message that it does not answer. */
  tell(message: object): Promise<void> {
    return this.settled('result', () => this.write(message));
  }

  write(message: object): void {
    this.send(message);
  }

  protected take(line: JsonLine): void {
    const { json } = line;
    if (isFields(json)) {
      if (json.type === 'control_response') return this.takeResponse(fieldsOf(json.response));
      if (json.type === 'control_request') return this.takeRequest(json, line);
      if (this.taken?.by === 'result') {
        if (json.type === 'result') this.taken.settle();
        return;
      }
    }
    this.taken?.settle();
    this.turn?.push(line);
  }

  protected override leave(failure = new Error('it has ended')): void {
    this.taken?.settle(failure);
    this.turn?.end();
  }

  private async set(request: Fields): Promise<void> {
    const id = randomUUID();
    await this.ask(id, { type: 'control_request', request_id: id, request });
  }

  private takeResponse({ request_id: id, subtype, error }: Fields): void {
    this.settle(spelled(id), subtype === 'error' ? new Error(textOf(error) ?? 'it refused a setting') : undefined);
  }

  private takeRequest({ request_id: id, request }: Fields, line: JsonLine): void {
    const response = this.server?.answer(fieldsOf(request), spelled(id));
    if (response) this.reply(spelled(id), response);
    else this.turn?.push(line);
  }

  private settled(by: 'first' | 'result', write: () => void): Promise<void> {
    const taking = new Promise<void>((resolve, reject) => {
      if (this.isGone) return reject(new Error('it has ended'));
      const settle = (failure?: Error): void => {
        this.taken = undefined;
        if (failure) reject(failure);
        else resolve();
      };
      this.taken = { by, settle };
      write();
    });
    return within(taking, TAKES_WITHIN_MS, 'it did not take the message');
  }
}
