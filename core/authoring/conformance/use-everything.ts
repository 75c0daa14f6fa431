import type { ChatEvent } from '../../contract/api';
import { ask, scripted } from '../fakes/requests';
import { FAILURES } from './cases/failure-cases';
import { ASK } from './facts';
import type { Stage } from './stage';
import { within } from './within';

/** Uses every method of the driver, with success and with failure, and notes every result. */
export async function useEverything(stage: Stage, shown: unknown[], text?: string): Promise<void> {
  const note = async (work: Promise<unknown>): Promise<void> => {
    try {
      shown.push(await within(work, 'a method of the driver did not settle'));
    } catch (error) {
      shown.push(describe(error));
    }
  };
  const chat = async (stream: boolean): Promise<ChatEvent[]> =>
    (await stage.chat(ask(text ?? scripted(), { stream }))).events;
  await stage.script({ type: 'answer', answer: scripted() });
  const driver = await stage.driver();
  for (const stream of [true, false]) await note(chat(stream));
  for (const asking of Object.values(ASK)) await note(asking(driver, stage.call(), ask(text ?? scripted())));
  for (const failure of Object.values(FAILURES).filter(({ fault }) => stage.can(fault))) {
    await stage.script(failure);
    await note(chat(true));
    await note(driver.check(stage.call()));
  }
}

/** The texts of an error and of its causes: a log may print all of them. */
function describe(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  return { ...error, message, cause: cause === undefined ? undefined : describe(cause) };
}
