import { cliBackend, conformanceCases } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { CLI_DRIVER, CLI_MANIFEST } from './sample-drivers';
import { sampleCliWire } from './sample-wires';
import { type Defect, testDefects } from './spoilt-driver';

/** The defects start programs by themselves, as an author does who has not found `context.spawn`. */
const OWN_SPAWN = `
  const child = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {}).end(input);
  call.signal.addEventListener('abort', () => STOP);
  const program = {
    async *jsonLines() {
      for await (const text of require('node:readline').createInterface({ input: child.stdout })) yield { json: parse(text) };
    },
    error: () => context.error('protocol', 'cut short'),
  };
  const parse = (text) => { try { return JSON.parse(text); } catch {} };
`;
const SPAWN = 'const program = await context.spawn(command, args, { input, signal: call.signal });';

const DEFECTS: Defect[] = [
  ['never stops its program', 'cancel.midway', SPAWN, OWN_SPAWN.replace('STOP', 'child.stdout.destroy()')],
  ['leaks the child of its program', 'cancel.child', SPAWN, OWN_SPAWN.replace('STOP', 'child.kill()')],
  ['waits for a stubborn program for ever', 'cancel.stubborn', SPAWN, OWN_SPAWN.replace('STOP', 'child.kill()')],
  [
    'puts the prompt into the arguments',
    'process.no-arguments',
    "['--json',",
    "['--json', '--prompt=' + messages.at(-1).parts[0].text,",
  ],
  ['takes a model of a client for an option', 'process.no-options', "context.argument(model, 'model')", 'model'],
  [
    'puts what the system says into the arguments',
    'process.no-arguments',
    "['--json',",
    "['--json', ...messages.filter(({ role }) => role === 'system').map(({ parts }) => '--system=' + parts[0].text),",
  ],
  [
    'starts a shell',
    'process.no-shell',
    SPAWN,
    OWN_SPAWN.replace('(command,', "('\"' + command + '\"',").replace('{ stdio', '{ shell: true, stdio'),
  ],
  ['works in the folder of the daemon', 'process.workspace', SPAWN, OWN_SPAWN],
  [
    'swallows a failure in the middle of an answer',
    'failure.midway',
    'if (json.error) throw',
    "if (json.error && said) return yield { type: 'finish', reason: 'stop' }; var said = said || json.text; if (json.error) throw",
  ],
  ['drops the extra_args', 'process.extra-args', ', ...(context.options.extra_args ?? [])', ''],
  [
    'takes a program that ended for one that answered',
    'failure.cut-short',
    'throw await program.error();',
    "yield { type: 'finish', reason: 'stop' };",
  ],
  ...['failure.cut-short', 'failure.exit-code'].map((id): Defect => [
    'takes whole lines for a whole answer',
    id,
    'of program.jsonLines())',
    `of (async function* (all) {
      for await (const line of all) {
        if (!line.json) throw context.error('protocol', 'torn');
        yield line;
      }
      yield { json: { end: 'stop' } };
    })(program.jsonLines()))`,
  ]),
  [
    'waits for the end of the program',
    'process.lingers',
    "yield { type: 'finish', reason: json.end };\n        return;",
    "var end = { type: 'finish', reason: json.end };",
  ],
  [
    'does not read the standard error',
    'process.stderr',
    SPAWN,
    OWN_SPAWN.replace("'ignore'", "'pipe'").replace('STOP', 'child.kill()'),
  ],
];

const MANIFEST = { ...CLI_MANIFEST, options: { ...CLI_MANIFEST.options, sandbox: {} }, permissionOptions: ['sandbox'] };

testDefects(DEFECTS, CLI_DRIVER, MANIFEST, cliBackend(sampleCliWire));

test('a driver that leaves the input of its program open is told so', async () => {
  const code = CLI_DRIVER.replace(SPAWN, SPAWN.replace('input, ', '') + ' void program.write(input);');
  const directory = tempHome().plugin('open-input', { code, manifest: { ...CLI_MANIFEST } });
  const cases = conformanceCases({ directory, backend: cliBackend(sampleCliWire) });
  await expect(cases.find(({ id }) => id === 'answer.text-streamed')!.run()).rejects.toThrow(
    'the program waits for the end of its standard input: give the text as `input`, or call end()',
  );
}, 60_000);
