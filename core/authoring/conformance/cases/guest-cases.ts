import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../errors';
import { cancelWork } from '../cancel-work';
import { captureOutput } from '../capture-output';
import { defineCases, rule } from '../case-definition';
import { calledFrom } from '../../check/own-code';
import { ask, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { useEverything } from '../use-everything';
import { ConformanceError } from '../within';

const STILL_MS = 200;
const LOOK_EVERY_MS = 5;
/** A busy machine may stop the process for a moment, but not in every one of them. */
const ATTEMPTS = 5;

const STRAY = ['uncaughtException', 'unhandledRejection'];
/** Not `process`: its type knows each event by its name. */
const events: EventEmitter = process;
/** How late a timer of the driver may fail and still be seen. */
const STRAY_LIMIT_MS = 1_000;

/** A driver is a guest in the process of the daemon, beside all other drivers. */
export const guestCases = defineCases(
  'guest',
  {
    output: rule('the driver prints nothing, because the output belongs to the commands', [], async (stage) => {
      const output = captureOutput(calledFrom(stage.directory));
      try {
        await useEverything(stage, []);
      } finally {
        output.stop();
      }
      const [first] = output.lines;
      if (first === undefined) return;
      throw new ConformanceError(
        `the driver printed ${JSON.stringify(first.slice(0, 200))}: use context.log or call.log`,
      );
    }),
    'event-loop': rule('a chat does not block the process for 200 ms', [], async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      await stage.chat(ask(scripted()));
      let stood = Infinity;
      for (let attempt = 0; attempt < ATTEMPTS && stood >= STILL_MS; attempt += 1) {
        const watch = watchLoop();
        await stage.chat(ask(scripted()));
        stood = Math.min(stood, await watch.stop());
      }
      if (stood < STILL_MS) return;
      const what = `a chat held the process up for ${Math.round(stood)} ms, and with it every other request`;
      throw new ConformanceError(`${what}: use the asynchronous functions`);
    }),
    'stray-errors': rule(
      'every error of a timer, a listener or a promise of the driver has a handler',
      [],
      async (stage) => {
        const stray: unknown[] = [];
        const note = (error: unknown) => void stray.push(error);
        for (const event of STRAY) events.prependListener(event, note);
        try {
          await useEverything(stage, []);
          if (stage.can('hang')) await leave(stage);
          await stage.closeProvider();
          await sleep(STRAY_LIMIT_MS);
        } finally {
          for (const event of STRAY) events.removeListener(event, note);
        }
        if (stray.length > 0) throw new ConformanceError(`an error outside of any call: ${messageOf(stray[0])}`);
      },
    ),
  },
  true,
);

/** A client asks, and leaves before the answer. */
async function leave(stage: Stage): Promise<void> {
  await stage.scriptChats({ type: 'hang' });
  await cancelWork(stage, 'chat', (signal) => stage.chat(ask(scripted()), signal));
}

/** The longest time between two turns of the event loop. */
function watchLoop(): { stop(): Promise<number> } {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    async stop() {
      // The last thing that a chat does may be what holds the process up.
      await sleep(LOOK_EVERY_MS);
      clearInterval(timer);
      look();
      return longest;
    },
  };
}
