import type { ProcessEvent } from '../../record/process-event';
import { EXIT } from '../exit-codes';
import { printJson, printNote } from '../terminal/print';
import { Attachment } from './attachment';
import { ReportedProcess } from './process-reports';

/** A process that lives as long as this command. Its answer goes to stdout as it comes. */
export class AttachedRun extends Attachment<ProcessEvent> {
  private readonly process = new ReportedProcess();
  private step: number | undefined;

  protected progress(): string[] {
    return [this.process.liveLine].filter((line) => line !== '');
  }

  protected stopPath(): string | undefined {
    return this.process.view && `/v1/processes/${this.process.view.uuid}/kill`;
  }

  protected async take(event: ProcessEvent): Promise<void> {
    const report = this.process.report(event);
    if (event.type === 'text' && !this.options.json) return this.write(event);
    if (report === undefined || this.isEnding) return;
    // On a terminal both streams share the lines.
    if (this.output.isInTheWay) await this.output.endLine();
    this.live.print(report);
  }

  private async write({ step, text }: { step: number; text: string }): Promise<void> {
    const { output, live } = this;
    live.hide();
    // The texts before and after the use of a tool are two paragraphs.
    if (step !== this.step) await output.endLine();
    this.step = step;
    await output.write(text);
    if (!output.isInTheWay) live.show();
  }

  protected conclude(): number | undefined {
    const { view, answer } = this.process;
    const end = view?.end;
    if (!view || !end) return undefined;
    if (this.options.json) printJson({ ...view, answer });
    if (end.state === 'done') return EXIT.ok;
    const what = end.message ?? end.reason;
    printNote(`error: ${end.state === 'killed' ? `process ${view.pid} was killed: ${what}` : what}`);
    if (end.hint !== undefined) printNote(`  ${end.hint}`);
    return EXIT.failure;
  }
}
