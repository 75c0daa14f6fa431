import type { Holder } from '../../_shared/cli/warm/kept-holders';
import type { Servers } from '../../_shared/cli/warm/servers';
import type { TurnLines } from '../../_shared/cli/warm/turn-lines';
import { within } from '../../_shared/cli/warm/within';
import { countOf, fieldsOf, spelled, textOf, type Fields } from '../../_shared/fields';
import { toUsage } from '../../_shared/http/usage';
import { AcpError } from './acp-error';
import type { AcpProgram } from './acp-program';
import { toolResult } from './client-tools';
import type { ToolAccess, ToolCall } from './tool-server';
import { isAnnouncement, type TurnEnd } from './update-reader';

const CANCELS_WITHIN_MS = 5_000;
const MODEL_WITHIN_MS = 10_000;
/** The update that announces a call comes another way than the call, and after all text that stands before it. */
const ANNOUNCED_WITHIN_MS = 1_000;
/** Updates that are part of an answer. */
const ANSWERS = ['agent_message_chunk', 'agent_thought_chunk'];

/** One session of a program that has others. It serves one conversation. */
export class AcpSession implements Holder {
  /** Called when it has ended, for whatever reason. */
  onEnd: () => void = () => undefined;
  private model: string | undefined;
  private state: 'open' | 'stopping' | 'closed' = 'open';
  private isHeld = false;
  private asking: Promise<void> | undefined;
  private turn: TurnLines | undefined;
  private hasBegun = false;
  private onFirst: () => void = () => undefined;
  private tools: ToolAccess | undefined;
  /** The call that waits for its result. The program makes one after the other. */
  private call: ToolCall | undefined;
  private announce: () => void = () => undefined;
  private announced: Promise<void> = Promise.resolve();

  constructor(
    readonly program: AcpProgram,
    readonly id: string,
    private readonly servers: Servers<AcpProgram>,
  ) {
    void program.gone.then(() => this.close());
  }

  get pid(): number {
    return this.program.pid;
  }

  get isGone(): boolean {
    return this.state !== 'open' || this.program.isGone;
  }

  /** Whether it can serve a chat with this model. A session that was given one cannot go back to that of its program. */
  mayHave(modelId: string | undefined): boolean {
    return !this.isGone && (modelId !== undefined || this.model === undefined);
  }

  /** Gives the session a model, where it has another one. */
  async setModel(modelId: string): Promise<void> {
    if (this.model === modelId) return;
    const taken = this.program.request('session/set_model', { sessionId: this.id, modelId });
    await within(taken, MODEL_WITHIN_MS, 'it took no model');
    this.model = modelId;
  }

  /** The tools that it was made with end with it. */
  own(tools: ToolAccess): void {
    this.tools = tools;
    if (this.state === 'closed') tools.close();
  }

  /** Asks. Resolves when the program has begun to answer; rejects where it has not even tried to. */
  async begin(turn: TurnLines, prompt: string): Promise<void> {
    this.hold();
    this.expectCall();
    this.program.listen(this.id, (line) => {
      const update = fieldsOf(fieldsOf(fieldsOf(line.json).params).update);
      if (isAnnouncement(update)) this.announce();
      if (!ANSWERS.includes(spelled(update.sessionUpdate))) return;
      this.turn?.push(line);
      this.start();
    });
    const parts = [{ type: 'text', text: prompt }];
    this.program.asking += 1;
    const begun = this.take(turn);
    const asking = this.finish(this.program.request('session/prompt', { sessionId: this.id, prompt: parts }));
    this.asking = asking.finally(() => (this.program.asking -= 1));
    this.asking.catch(() => undefined);
    await Promise.race([begun, asking]);
  }

  /** Goes on with the result of the call that waits. A session without one is no fault of its program. */
  async goOn(turn: TurnLines, content: Fields[]): Promise<void> {
    const { call, asking } = this;
    if (!call || !asking) throw new AcpError({ message: 'it waits for no result' });
    this.call = undefined;
    this.expectCall();
    const begun = this.take(turn);
    call.reply(toolResult(content, this.program.dialect));
    await Promise.race([begun, asking]);
  }

  /** A call of the model, which the client has to make: the answer ends with it. */
  readonly onCall = (call: ToolCall): void => {
    this.call = call;
    const pause = (): void => {
      if (this.call === call && !this.isGone) this.end({ ...this.program.files.read(this.id), call });
    };
    void within(this.announced, ANNOUNCED_WITHIN_MS, 'not announced').then(pause, pause);
  };

  /** For a program that goes on by itself in vain: the turn fails with these words. */
  fail(message: string): void {
    this.end({ answers: 0, failure: new AcpError({ message }) });
  }

  endTurn(): void {
    this.turn = undefined;
  }

  /** Between two turns it does not keep its program from ending. */
  rest(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.servers.release(this.program);
  }

  /** Ends the work of this session only. */
  async stop(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'stopping';
    if (this.asking && !this.program.isGone) {
      this.program.notify('session/cancel', { sessionId: this.id });
      // A program that goes on would be paid for it.
      const left = this.asking.catch(() => undefined);
      await within(left, CANCELS_WITHIN_MS, 'it goes on').catch(() => this.servers.retire(this.program));
    }
    this.program.files.remove(this.id);
    this.close();
  }

  private hold(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.servers.hold(this.program);
  }

  private close(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.program.listen(this.id, undefined);
    this.tools?.close();
    this.rest();
    this.onEnd();
  }

  private expectCall(): void {
    this.announced = new Promise((resolve) => (this.announce = resolve));
  }

  /** Resolves at the first line of the turn. */
  private take(turn: TurnLines): Promise<void> {
    this.turn = turn;
    this.hasBegun = false;
    return new Promise((resolve) => (this.onFirst = resolve));
  }

  private start(): void {
    this.hasBegun = true;
    this.onFirst();
  }

  private async finish(answer: Promise<Fields>): Promise<void> {
    const { files } = this.program;
    let end: TurnEnd;
    try {
      const { stopReason, _meta } = await answer;
      const { input_tokens: input, output_tokens: output } = fieldsOf(fieldsOf(fieldsOf(_meta).quota).token_count);
      const told = toUsage({ inputTokens: countOf(input), outputTokens: countOf(output) });
      end = { ...files.read(this.id), stopReason: textOf(stopReason), told };
    } catch (error) {
      const isAnswer = error instanceof AcpError && (this.hasBegun || !error.isOfTheTalk);
      this.asking = undefined;
      if (!isAnswer) {
        this.turn?.end();
        throw error;
      }
      end = { answers: 0, failure: error };
    }
    this.asking = undefined;
    files.remove(this.id);
    this.end(end);
  }

  private end(end: TurnEnd): void {
    this.turn?.push({ text: '', json: { end } });
    this.turn?.end();
    this.start();
  }
}
