import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { packageRoot } from '../../package';
import type { Manifest } from '../../plugins/manifest';
import { failed, type Finding, ok, skipRest, skipped, warning } from './check-codes';
import { type ProgramOutcome, runProgram } from './run-program';

/** An import that waits for ever is given up after 10 s, by the process itself; a loop that never ends is stopped by us. */
const TRIAL_LIMIT_MS = 15_000;
const SLOW_IMPORT_MS = 1_000;

/** What the process that loads a plug-in notes down, in this order, one line of JSON each. */
export type TrialNote =
  | { at: 'import' }
  | { at: 'imported'; ms: number }
  | { at: 'import-failed'; reason: string }
  | { at: 'no-factory'; reason: string }
  /** The factory was not called: these options have no value that could be made up. */
  | { at: 'not-made'; options: string[] }
  | { at: 'make' }
  | { at: 'made' }
  | { at: 'make-failed'; reason: string }
  /** What was opened until the driver was made, in words. */
  | { at: 'opened'; what: string[] }
  | { at: 'rejected'; reason: string }
  | { at: 'end' };

export interface Loading {
  directory: string;
  codeDirectory: string;
  manifest: Manifest;
  limitMs?: number;
}

/** Loads the plug-in and makes a driver in a process of its own, which it may hang or end as it likes. */
export async function checkLoading({ directory, codeDirectory, manifest, limitMs = TRIAL_LIMIT_MS }: Loading) {
  const folder = mkdtempSync(join(tmpdir(), 'drivebay-check-'));
  try {
    const trial = join(packageRoot, 'dist', 'try-plugin.js');
    const outcome = await runProgram(process.execPath, ['--no-warnings', trial, directory, codeDirectory, folder], {
      cwd: folder,
      limitMs,
    });
    const notes = readNotes(join(folder, 'notes'));
    const findings = [
      ...checkImport(notes, outcome, manifest, codeDirectory),
      ...checkOutput(notes, outcome),
      ...checkDriver(notes, outcome),
      ...checkRejections(notes),
    ];
    const rest = skipRest('L', findings, 'the plug-in cannot be loaded');
    return [...findings, ...rest].sort((a, b) => (a.code < b.code ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readNotes(file: string): TrialNote[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as TrialNote);
}

function find<At extends TrialNote['at']>(notes: TrialNote[], at: At) {
  return notes.find((note): note is Extract<TrialNote, { at: At }> => note.at === at);
}

function checkImport(notes: TrialNote[], outcome: ProgramOutcome, { main }: Manifest, folder: string): Finding[] {
  const importFailed = find(notes, 'import-failed');
  if (importFailed) return [failed('L01', importFailed.reason, adviseImport(main, folder))];
  if (!find(notes, 'imported')) return [failed('L01', `importing ${main} ${describeEnd(outcome)}`)];
  const noFactory = find(notes, 'no-factory');
  if (!noFactory) return [ok('L01'), ok('L02')];
  return [
    ok('L01'),
    failed('L02', noFactory.reason, 'module.exports = (context) => ..., or: export default (context) => ...'),
  ];
}

/** Node loads no TypeScript out of a package: it has to be compiled before. */
function adviseImport(main: string, folder: string): string | undefined {
  const path = join(folder, main);
  const isTypeScript = /^\.[cm]?ts$/.test(extname(main)) || existsSync(`${path}.ts`);
  if (isTypeScript) return 'TypeScript has to be compiled: run tsc, and let main name the JavaScript';
  if (existsSync(path)) return undefined;
  const build = scriptsOf(folder).build;
  return build === undefined ? 'correct main in manifest.json' : 'build it first: npm run build';
}

function scriptsOf(folder: string): Record<string, unknown> {
  try {
    const parsed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts?: object } | null;
    return (parsed?.scripts ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function describeEnd({ isLate, code }: ProgramOutcome): string {
  if (isLate) return 'did not come to an end, not even after its time was up';
  return code === null ? 'crashed the process' : `ended the process, with code ${code}`;
}

function checkOutput(notes: TrialNote[], { stdout, stderr }: ProgramOutcome): Finding[] {
  const imported = find(notes, 'imported');
  if (!imported) return [];
  const findings: Finding[] = [];
  if (stdout) findings.push(failed('L03', `it prints to stdout: ${firstLine(stdout)}`, ADVICE));
  if (stderr) findings.push(warning('L03', `it prints to stderr: ${firstLine(stderr)}`, ADVICE));
  if (imported.ms > SLOW_IMPORT_MS) {
    findings.push(
      warning('L03', `importing it took ${imported.ms} ms`, 'load large packages in the factory, or later'),
    );
  }
  return findings.length === 0 ? [ok('L03')] : findings;
}

const ADVICE = 'use context.log and call.log: the output belongs to the commands of Drivebay';

function firstLine(text: string): string {
  return JSON.stringify(text.split('\n')[0]?.slice(0, 100));
}

function checkDriver(notes: TrialNote[], outcome: ProgramOutcome): Finding[] {
  const notMade = find(notes, 'not-made');
  if (notMade) {
    const why = `no value could be made up for ${notMade.options.join(', ')}: give "examples" in its schema`;
    return [skipped('L04', why), skipped('L05', why)];
  }
  if (!find(notes, 'make')) return [];
  const opened = find(notes, 'opened');
  const makeFailed = find(notes, 'make-failed');
  if (!opened && !makeFailed) return [failed('L05', `the factory ${describeEnd(outcome)}`)];
  return [
    opened && opened.what.length > 0
      ? failed('L04', `it opens ${opened.what.join(', ')}`, 'wait for the first chat or check')
      : ok('L04'),
    makeFailed ? failed('L05', makeFailed.reason) : ok('L05'),
  ];
}

function checkRejections(notes: TrialNote[]): Finding[] {
  const reasons = notes.flatMap((note) => (note.at === 'rejected' ? [note.reason] : []));
  if (reasons.length > 0)
    return reasons.map((reason) => failed('L06', `a promise is rejected and nobody looks: ${reason}`));
  return find(notes, 'end') ? [ok('L06')] : [];
}
