import assert from 'node:assert';
import type { Call, ChatRequest, Driver } from '../../contract/api';
import { ask, scripted } from '../fakes/requests';
import { cancelWork } from './cancel-work';
import type { Stage } from './stage';
import { within } from './within';

type Method = Exclude<keyof Driver, 'chat' | 'embed' | 'close'>;
type Asking = (driver: Driver, call: Call, request: ChatRequest) => Promise<unknown>;

/** What a driver can be asked besides answers and vectors. Undefined where it has no such method. */
export const ASK: Readonly<Record<Method, Asking>> = {
  check: async (driver, call) => driver.check(call),
  metadata: async (driver) => driver.metadata?.(),
  models: async (driver, call) => driver.models?.(call),
  countTokens: async (driver, call, request) => driver.countTokens?.(request, call),
  diagnose: async (driver, call) => {
    const findings: unknown[] = [];
    for await (const finding of driver.diagnose?.(call) ?? []) findings.push(finding);
    return findings;
  },
};

/** Gives `read` what a method resolves with. Fails the case when the driver asks for an answer, whatever comes of it. */
export async function facts(stage: Stage, method: Method, read: (found: unknown) => unknown, limitMs?: number) {
  await stage.script({ type: 'answer', answer: scripted() });
  const driver = await stage.driver();
  if (!driver[method]) return;
  try {
    read(await within(ASK[method](driver, stage.call(), ask(scripted())), `${method} did not settle`, limitMs));
  } finally {
    const asked = `${method} has asked for an answer, which costs tokens; where it has not, let \`probe\` of the backend answer`;
    assert.equal(stage.received().length, 0, asked);
  }
}

export async function canceled(stage: Stage, method: Method): Promise<void> {
  await stage.script({ type: 'hang' });
  const driver = await stage.driver();
  await cancelWork(stage, method, (signal) => ASK[method](driver, stage.call(signal), ask(scripted())));
}
