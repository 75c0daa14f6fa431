import { z } from 'zod';
import type { RunningGateway } from '../../setup/running-gateway';

/**
 * A driver that answers with what its process holds: the memory after a collection of garbage, and how many files and sockets are
 * open. Code that the engine makes grows with what has run, and shrinks where nothing has run for a while. From the load of the
 * driver on it compiles nothing, and throws nothing away.
 */
export const PROBE = `const { readdirSync } = require('node:fs');
const turn = require('node:timers/promises').setImmediate;
const flags = ['--no-opt', '--no-sparkplug', '--no-flush-bytecode', '--expose-gc'];
for (const flag of flags) require('node:v8').setFlagsFromString(flag);
const gc = require('node:vm').runInNewContext('gc');
module.exports = () => ({
  async check() {},
  async *chat() {
    // What a finalizer lets go of is garbage of the next round.
    for (let round = 0; round < 4; round += 1) { gc(); await turn(); }
    const { heapUsed, external } = process.memoryUsage();
    const open = readdirSync('/dev/fd').length;
    yield { type: 'text', text: JSON.stringify({ memory: heapUsed + external, open }) };
    yield { type: 'finish', reason: 'stop' };
  },
});`;

const heldSchema = z.object({ memory: z.number(), open: z.number() });
const answerSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1) });

export type Held = z.infer<typeof heldSchema>;

/** Asks the driver of the provider `probe`. */
export async function heldBy(gateway: RunningGateway): Promise<Held> {
  const { choices } = answerSchema.parse(await (await gateway.chat({ model: 'probe:m' })).json());
  return heldSchema.parse(JSON.parse(choices[0]!.message.content));
}
