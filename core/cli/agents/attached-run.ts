import { type ControlClient, DaemonGoneError } from '../../daemon/client/control-client';
import { EXIT } from '../exit-codes';
import { printJson, printNote } from '../terminal/print';
import { Attachment } from './attachment';
import { FollowedProcess } from './followed-process';

/** A process that lives as long as this command. Its answer goes to stdout as it comes, the rest to stderr. */
export class AttachedRun {
  private readonly process = new FollowedProcess();
  private readonly attachment: Attachment;
  private step: number | undefined;

  constructor(
    client: ControlClient,
    /** `json`: one object on stdout at the end, in place of the answer. */
    private readonly options: { json: boolean },
  ) {
    const progress = () => [this.process.progress()].filter((line) => line !== '');
    const stopPath = () => this.process.view && `/v1/processes/${this.process.view.uuid}/kill`;
    this.attachment = new Attachment(client, progress, stopPath);
  }

  /** Resolves with the exit code when nothing of the process is left. */
  async complete(body: object): Promise<number> {
    return (await this.attachment.follow('/v1/processes', body, (line) => this.take(line))) ?? this.conclude();
  }

  private async take(line: unknown): Promise<void> {
    const { event, report } = this.process.take(line) ?? {};
    if (event?.type === 'text' && !this.options.json) return this.write(event);
    const { output, live, isEnding } = this.attachment;
    if (report === undefined || isEnding) return;
    // On a terminal both streams share the lines.
    if (output.isInTheWay) await output.endLine();
    live.print(report);
  }

  private async write({ step, text }: { step: number; text: string }): Promise<void> {
    const { output, live } = this.attachment;
    live.hide();
    // The texts before and after the use of a tool are two paragraphs.
    if (step !== this.step) await output.endLine();
    this.step = step;
    await output.write(text);
    if (!output.isInTheWay) live.show();
  }

  private conclude(): number {
    const { view, answer } = this.process;
    const end = view?.end;
    if (!view || !end) throw new DaemonGoneError('the daemon has ended', 'see its log: drivebay daemon logs');
    if (this.options.json) printJson({ ...view, answer });
    if (end.state === 'done') return EXIT.ok;
    const what = end.message ?? end.reason;
    printNote(`error: ${end.state === 'killed' ? `process ${view.pid} was killed: ${what}` : what}`);
    if (end.hint !== undefined) printNote(`  ${end.hint}`);
    return EXIT.failure;
  }
}
