import { type CliWire, cliBackend, conformanceCases } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { CLI_DRIVER, CLI_MANIFEST } from './sample-drivers';
import { sampleCliWire } from './sample-wires';

const spelled = (step: unknown): { stdout: string } => ({ stdout: `${JSON.stringify(step)}\n` });

/** The program writes its output itself, and names its exit code. */
const wire: CliWire = {
  ...sampleCliWire,
  answer: (answer, run) => [...sampleCliWire.answer(answer, run).map(spelled), { exit: 0 }],
  failure: (failure, run) => {
    const [said, exit] = sampleCliWire.failure(failure, run);
    return [spelled(said), exit!];
  },
};

const home = tempHome();
const directory = home.plugin('stepping', { code: CLI_DRIVER, manifest: CLI_MANIFEST });
const cases = conformanceCases({ directory, backend: cliBackend(wire) });

// Each of them changes the steps in a way of its own: whole, in small writes, held back, cut in half, followed by a hang.
test.each([
  'answer.text-streamed',
  'answer.split-bytes',
  'answer.before-the-end',
  'failure.upstream',
  'failure.cut-short',
  'cancel.midway',
  'process.lingers',
])('%s holds where answers and failures are spelled in { stdout } and { exit }', async (id) => {
  await cases.find((each) => each.id === id)!.run();
});

test.each(['failure.cut-short', 'failure.exit-code'])(
  '%s holds where a program writes a whole answer, and a line after it',
  async (id) => {
    const trailing: CliWire = {
      ...sampleCliWire,
      answer: ({ pieces, finish }) => [{ text: pieces.join(''), end: finish }, { cost: 0 }],
      cannot: { ...sampleCliWire.cannot, pieces: 'an answer comes at once' },
    };
    const meant = conformanceCases({ directory, backend: cliBackend(trailing) }).find((each) => each.id === id)!;
    await meant.run();
  },
);
