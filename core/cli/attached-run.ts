import { z } from 'zod';
import type { ControlClient } from '../daemon/client/control-client';
import { DaemonGoneError } from '../daemon/client/control-client';
import type { ProcessEvent } from '../events/process-event';
import { AnswerOutput } from './answer-output';
import { EXIT } from './exit-codes';
import { FollowedProcess } from './followed-process';
import { LiveLines } from './live-lines';
import { exitCodeOf, onSignal } from './on-signal';
import { printAnswer, printNote } from './print';

/** A process that lives as long as this command: its answer goes to stdout as it comes, the rest to stderr. */
export class AttachedRun {
  private readonly process = new FollowedProcess();
  private readonly leave = new AbortController();
  private readonly output = new AnswerOutput(() => this.end(EXIT.ok));
  private readonly live = new LiveLines(() => [this.process.progress()].filter((line) => line !== ''));
  /** Set when somebody wants the end. */
  private exitCode: number | undefined;
  private step: number | undefined;

  constructor(
    private readonly client: ControlClient,
    /** `json`: one object on stdout, when it has ended, in place of the answer. */
    private readonly options: { json: boolean },
  ) {}

  /** Resolves with the exit code when nothing of the process is left. */
  async complete(body: object): Promise<number> {
    const forget = onSignal((signal) => this.end(exitCodeOf(signal)));
    try {
      await this.follow({ ...body, attach: true });
    } catch (error) {
      // Whoever has asked for the end does not care what it looks like from here.
      if (this.exitCode === undefined) throw error;
    } finally {
      forget();
      this.live.close();
      if (!this.options.json) await this.output.endLine();
      this.output.close();
    }
    return this.exitCode ?? this.conclude();
  }

  private async follow(body: object): Promise<void> {
    const { signal } = this.leave;
    for await (const line of this.client.stream('POST', '/v1/processes', { body, signal })) {
      const taken = this.process.take(line);
      if (taken) await this.show(taken);
    }
  }

  private async show({ event, report }: { event: ProcessEvent; report: string | undefined }): Promise<void> {
    if (event.type === 'text' && !this.options.json) return this.write(event);
    if (report === undefined || this.exitCode !== undefined) return;
    // On a terminal both streams share the lines.
    if (this.output.isInTheWay) await this.output.endLine();
    this.live.print(report);
  }

  private async write({ step, text }: { step: number; text: string }): Promise<void> {
    this.live.hide();
    // What a model says before and after it has used a tool are two things.
    if (step !== this.step) await this.output.endLine();
    this.step = step;
    await this.output.write(text);
    if (!this.output.isInTheWay) this.live.show();
  }

  /** The first time the process is ended, and waited for. The second time the command ends at once. */
  private end(exitCode: number): void {
    const { view } = this.process;
    const isAgain = this.exitCode !== undefined;
    this.exitCode = exitCode;
    this.output.hurry();
    // A daemon ends the process of a client that goes.
    if (isAgain || !view) return this.leave.abort();
    this.client
      .call('POST', `/v1/processes/${view.uuid}/kill`, z.unknown())
      // It has ended already, or its daemon has: the stream says so.
      .catch(() => undefined);
  }

  private conclude(): number {
    const { view, answer } = this.process;
    const end = view?.end;
    if (!view || !end) throw new DaemonGoneError('the daemon has ended', 'see its log: drivebay daemon logs');
    if (this.options.json) printAnswer(JSON.stringify({ ...view, answer }, undefined, 2));
    if (end.state === 'done') return EXIT.ok;
    if (end.state === 'killed') printNote(`error: process ${view.pid} was killed: ${end.message ?? end.reason}`);
    else printNote(`error: ${end.message ?? end.reason}`);
    if (end.hint !== undefined) printNote(`  ${end.hint}`);
    return EXIT.failure;
  }
}
