import type { Call, ChatRequest, Driver } from '../../contract/api';
import { readAnswer } from './read-answer';
import { unlessRefused } from './unless-refused';
import { ConformanceError, until } from './within';

interface Warmed {
  provider(): { kept: readonly unknown[] };
  driver(): Promise<Driver>;
  call(): Call;
}

/** Asks until a program that the driver keeps has answered such a request, and the one for the next chat is ready. */
export async function warmUp(stage: Warmed, request: ChatRequest): Promise<void> {
  const driver = await stage.driver();
  const ask = async (): Promise<boolean> => {
    const { events } = await readAnswer(driver.chat(request, stage.call()));
    await until(() => stage.provider().kept.length > 0, 'the driver keeps no program after a chat');
    return events.some((event) => event.type === 'meta' && event.warm === 'hit');
  };
  // A refusal is what the case is about.
  const isWarm = await unlessRefused(ask().then(ask), 'invalid_request');
  if (isWarm === false) throw new ConformanceError('no program that the driver keeps answers such a chat (warm: hit)');
}
