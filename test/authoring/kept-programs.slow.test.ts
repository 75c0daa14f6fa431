import { cliBackend, conformanceCases } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { CLI_DRIVER, CLI_MANIFEST } from './sample-drivers';
import { sampleCliWire } from './sample-wires';

const FINISH = "yield { type: 'finish', reason: json.end };";
const START = `const spare = await context.spawn(command, ['--spare']);`;
const KEEP = `context.keep({ state: 'spare', most: 1, forMs: 60000, pid: spare.pid, end: () => void spare.stop() });`;

const home = tempHome();
let drivers = 0;

/** A driver that does more at the end of an answer, in front of a case. */
function run(more: string, id: string, keeps: boolean): Promise<void> {
  const code = CLI_DRIVER.replace(FINISH, `${more} ${FINISH}`);
  const directory = home.plugin(`keeping-${(drivers += 1)}`, { code, manifest: { ...CLI_MANIFEST } });
  return conformanceCases({ directory, backend: cliBackend(sampleCliWire), keeps })
    .find((each) => each.id === id)!
    .run();
}

test.each(['process.ends', 'lifecycle.close-releases'])(
  'for %s a program that the driver keeps is none that was left',
  (id) => run(START + KEEP, id, false),
);

test('with keeps: true a case begins only when the driver keeps a program that answers', async () => {
  const id = 'answer.text-streamed';
  await expect(run('', id, true)).rejects.toThrow('the driver keeps no program after a chat');
  await expect(run(START + KEEP, id, true)).rejects.toThrow('no program that the driver keeps answers such a chat');
  await run(`yield { type: 'meta', warm: 'hit' }; ${START + KEEP}`, id, true);
});
