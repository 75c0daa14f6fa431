import { HintedError } from '../../errors';
import { foldEvent, type ProcessView } from '../../record/process-view';
import { WITHOUT_RECORD } from '../../record/read-processes';
import { printAnswer, printJson } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { findProcess, processEvents } from './find-process';
import { formatEvent, formatHead, formatSummary } from './trace-text';

/** `trace`: what a process did, step by step. With `--json` one object, or with `--follow` one event per line. */
export async function trace(id: string, { follow = false, json }: { follow?: boolean; json?: boolean }): Promise<void> {
  const processes = await findProcess(id);
  const stop = new AbortController();
  await untilInterrupted(print()).finally(() => stop.abort());

  async function print(): Promise<void> {
    let view: ProcessView | undefined;
    const events = [];
    for await (const event of processEvents(processes, follow, stop.signal)) {
      view = foldEvent(view, event);
      if (!view) continue;
      if (event.type === 'created' && !json) printAnswer(`${formatHead(view)}\n`);
      if (json && follow) printAnswer(JSON.stringify(event));
      else if (json) events.push(event);
      else for (const line of formatEvent(event, view)) printAnswer(line);
    }
    if (stop.signal.aborted) return;
    if (!view) throw new HintedError(`there is no record of process ${processes.found.pid}`, WITHOUT_RECORD);
    if (json && !follow) printJson({ ...view, events });
    else if (!json) printAnswer(`\n${formatSummary(view)}`);
  }
}
