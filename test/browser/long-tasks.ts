import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time in µs. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * How long the longest tasks of the page took, in ms of processor time, the longest first, from now until the function that
 * this resolves with is called. Not by the clock: on a machine with other work a task of 10 ms takes 200 there, because
 * its thread has to wait.
 */
export async function recordTasks(page: Page): Promise<() => Promise<number[]>> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
    const isMain = ({ pid, tid }: TraceEvent) => mains.some((main) => main.pid === pid && main.tid === tid);
    const tasks = traceEvents.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && isMain(event));
    if (tasks.length === 0) throw new Error('the browser recorded no task');
    return tasks.map(({ tdur = 0 }) => tdur / 1_000).sort((a, b) => b - a);
  };
}
