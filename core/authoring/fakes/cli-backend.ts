import type { Ability, Backend, ProcessConduct, ScriptedAnswer } from './backend';
import type { ScriptedFailure, ScriptedVectors, Situation, UnderstoodChat } from './backend';
import { cutLimit } from './cut-limit';
import { type CliStep, HANG, toProgramStep } from './cli-step';
import { type CliConversation, type CliRunRecord, FakeCli } from './fake-cli';
import { cannotOf, Script } from './script';

/** The wire format of a CLI: translates between the kit's neutral forms and lines. */
export interface CliWire {
  /** Provider options that lead the driver to the program. `command` is the path of the executable. */
  options(command: string): Record<string, unknown>;
  /** Translates an answer. The last step completes it. */
  answer(answer: ScriptedAnswer, run: CliRunRecord): CliStep[];
  /** Translates a failure, which may end with an exit code. */
  failure(failure: ScriptedFailure, run: CliRunRecord): CliStep[];
  /** Reads the arguments and the input of a run. */
  received(run: CliRunRecord): UnderstoodChat;
  /** The steps of a run that is no chat, for example `--version`. Undefined for a chat. Default: all runs are chats. */
  probe?(run: CliRunRecord): CliStep[] | undefined;
  /**
   * How the program speaks while its standard input stays open, for a driver that holds conversations: `play` has the steps
   * of the answer. `received` is called once the chat is in the lines of the run.
   */
  converse?(play: (run: CliRunRecord) => CliStep[]): CliConversation;
  /** Translates an answer to a request for embeddings. Without it the cases of embeddings are excluded. */
  vectors?(answer: ScriptedVectors, run: CliRunRecord): CliStep[];
  /** A token that `probe` gives the driver. Without it the case about tokens is excluded. */
  token?: string;
  /** See `Backend`. */
  cannot?: Partial<Record<Ability, string>>;
}

const END_OF_INPUT =
  'the program waits for the end of its standard input: give the text as `input`, or call end(); if the input of the real program stays open, describe it by `converse` of the wire';

/** A backend on a fake CLI. The kit itself makes hanging, cut, split, invalid and missing output, and stubborn processes. */
export function cliBackend(wire: CliWire): Backend {
  return {
    cannot: cannotOf(wire),
    async start() {
      const cli = await FakeCli.start();
      const script = new Script();
      const atWork = () => cli.processes().map((pid) => `process ${pid}`);
      cli.script((run) => respond(wire, script, run));
      const conversation = wire.converse?.((run) => respond(wire, script, run));
      if (conversation) cli.converse(conversation);
      const isWaiting = (run: CliRunRecord) => !run.ended && run.stdin === undefined && !conversation?.isOne(run);
      return script.run({
        token: wire.token,
        options: wire.options(cli.command),
        atWork,
        open: atWork,
        waitsFor: () => (cli.runs.some(isWaiting) ? END_OF_INPUT : undefined),
        close: () => cli.close(),
        vanish: () => cli.uninstall(),
      });
    },
  };
}

function respond(wire: CliWire, script: Script, run: CliRunRecord): CliStep[] {
  const probe = wire.probe?.(run);
  if (probe) return script.ofProbes?.type === 'hang' ? [HANG] : probe;
  const raw = [...run.argv, ...(run.stdin === undefined ? run.lines : [run.stdin])].join('\n');
  return play(wire, script.situationFor({ ...wire.received(run), argv: run.argv, cwd: run.cwd, raw }), run);
}

function play(wire: CliWire, situation: Situation, run: CliRunRecord): CliStep[] {
  switch (situation.type) {
    case 'answer': {
      const { split, hold, conduct } = situation;
      const answer = wire.answer(situation.answer, run);
      const steps = split ? answer.map((step) => inSmallWrites(step, split)) : answer;
      const last = steps.findLastIndex((step) => outputOf(step) !== undefined);
      if (hold) void steps.splice(last, 0, hold);
      if (!conduct?.lingers) return [...before(conduct), ...steps];
      // The steps after the last piece end the program, which shall stay.
      return [...before(conduct), ...steps.slice(0, last + 1), HANG];
    }
    case 'vectors':
      return wire.vectors!(situation, run);
    case 'failure': {
      const sent = situation.after ? half(wire, situation.after, run, true) : [];
      return [...sent, ...wire.failure(situation, run)];
    }
    case 'hang': {
      const sent = situation.after ? half(wire, situation.after, run) : [];
      return [...before(situation.conduct), ...sent, HANG];
    }
    case 'cut':
      return [
        ...half(wire, situation.answer, run, situation.between),
        situation.reset ? { die: 'SIGKILL' } : { exit: situation.exitCode ?? 0 },
      ];
    case 'garbage':
      return ['<<<this is no answer>>>', { stdout: new Uint8Array([0xff, 0xfe, 0x00, 0x0a]) }, { exit: 0 }];
    case 'absent':
      return [{ exit: 127 }];
  }
}

function before({ ignoresSigterm, child, stderrBytes }: ProcessConduct = {}): CliStep[] {
  const steps: CliStep[] = [];
  if (ignoresSigterm) steps.push({ ignore: 'SIGTERM' });
  if (child) {
    steps.push({ fork: { holdsOutput: child === 'holdsOutput', ignores: ignoresSigterm ? 'SIGTERM' : undefined } });
  }
  if (stderrBytes !== undefined) steps.push({ flood: 'stderr', bytes: stderrBytes });
  return steps;
}

/** The first half of the output, with half of its last piece or all of it, up to the limit, and no steps that end the program. */
function half(wire: CliWire, answer: ScriptedAnswer, run: CliRunRecord, between = false): CliStep[] {
  const limit = cutLimit(answer, (each) => bytesOf(wire.answer(each, run)));
  const steps = wire.answer(answer, run);
  const outputs = steps.flatMap((step, index) => (outputOf(step) === undefined ? [] : [index]));
  const many = Math.ceil(outputs.length / 2);
  const whole = outputs.slice(0, many).filter((index) => bytesOf(steps.slice(0, index + 1)).length <= limit);
  if (between && outputs.length > 1 && whole.length > 0) return steps.slice(0, whole.at(-1)! + 1);
  const last = outputs[Math.min(whole.length, many - 1)];
  if (last === undefined) return [];
  const [before, piece] = [steps.slice(0, last), outputOf(steps[last]!)!];
  const length = Math.min(Math.ceil(piece.length / 2), limit - bytesOf(before).length);
  return [...before, { stdout: piece.subarray(0, length) }];
}

/** What the steps write to the standard output. */
function bytesOf(steps: CliStep[]): Buffer {
  return Buffer.concat(steps.flatMap((step) => outputOf(step) ?? []));
}

function inSmallWrites(step: CliStep, split: number): CliStep {
  const stdout = outputOf(step);
  return stdout === undefined ? step : { stdout, split };
}

/** The bytes that a step writes to the standard output. */
function outputOf(step: CliStep): Buffer | undefined {
  if (step === HANG || (typeof step !== 'string' && typeof step !== 'object') || 'then' in Object(step))
    return undefined;
  const action = toProgramStep(step);
  return action.do === 'output' && action.to === 'stdout' ? Buffer.from(action.data as string, 'base64') : undefined;
}
