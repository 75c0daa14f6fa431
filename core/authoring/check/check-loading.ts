import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { packageRoot } from '../../package';
import type { Manifest } from '../../plugins/manifest';
import { failed, type Finding, ok, skipRest, skipped, warning } from './check-codes';
import { type ProgramOutcome, runProgram } from './run-program';

/** The trial process gives up a slow import after 10 s. This longer limit stops an endless loop. */
const TRIAL_LIMIT_MS = 15_000;
const SLOW_IMPORT_MS = 1_000;

/** The notes of the process that loads a plug-in, in this order, one line of JSON each. */
export type TrialNote =
  | { at: 'import' }
  | { at: 'imported'; ms: number }
  | { at: 'import-failed'; reason: string }
  | { at: 'no-factory'; reason: string }
  /** The factory was not called: the trial found no value for these options. */
  | { at: 'not-made'; options: string[] }
  | { at: 'make' }
  | { at: 'made' }
  | { at: 'make-failed'; reason: string }
  /** The resources that were opened before the driver was made, in words. */
  | { at: 'opened'; what: string[] }
  | { at: 'rejected'; reason: string }
  | { at: 'end' };

/** Loads the plug-in and makes a driver in a separate process, which the plug-in may hang or end. */
export async function checkLoading(
  { directory, codeDirectory }: { directory: string; codeDirectory: string },
  manifest: Manifest,
  limitMs = TRIAL_LIMIT_MS,
) {
  const folder = mkdtempSync(join(tmpdir(), 'drivebay-check-'));
  try {
    const trial = join(packageRoot, 'dist', 'try-plugin.js');
    const args = ['--no-warnings', trial, directory, codeDirectory, folder];
    const outcome = await runProgram(process.execPath, args, { cwd: folder, limitMs });
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

/** Node loads no TypeScript from a package, so the author must compile it. */
function adviseImport(main: string, folder: string): string | undefined {
  const path = join(folder, main);
  const isTypeScript = /^\.[cm]?ts$/.test(extname(main)) || existsSync(`${path}.ts`);
  if (isTypeScript) return 'compile the TypeScript with tsc, and set main to the JavaScript file';
  if (existsSync(path)) return undefined;
  return hasBuildScript(folder) ? 'build it first: npm run build' : 'correct main in manifest.json';
}

function hasBuildScript(folder: string): boolean {
  try {
    const parsed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts?: { build?: string } };
    return parsed.scripts?.build !== undefined;
  } catch {
    return false;
  }
}

function describeEnd({ isLate, code }: ProgramOutcome): string {
  if (isLate) return 'did not end within its time';
  return code === null ? 'crashed the process' : `ended the process, with code ${code}`;
}

function checkOutput(notes: TrialNote[], { stdout, stderr }: ProgramOutcome): Finding[] {
  const imported = find(notes, 'imported');
  if (!imported) return [];
  const findings: Finding[] = [];
  if (stdout) findings.push(failed('L03', `the plug-in prints to stdout: ${firstLine(stdout)}`, ADVICE));
  if (stderr) findings.push(warning('L03', `the plug-in prints to stderr: ${firstLine(stderr)}`, ADVICE));
  if (imported.ms > SLOW_IMPORT_MS) {
    const message = `the import took ${imported.ms} ms`;
    findings.push(warning('L03', message, 'load large packages in the factory, or later'));
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
    const why = `no sample value fits ${notMade.options.join(', ')}: give "examples" in its schema`;
    return [skipped('L04', why), skipped('L05', why)];
  }
  if (!find(notes, 'make')) return [];
  const opened = find(notes, 'opened');
  const makeFailed = find(notes, 'make-failed');
  if (!opened && !makeFailed) return [failed('L05', `the factory ${describeEnd(outcome)}`)];
  return [
    opened && opened.what.length > 0
      ? failed('L04', `the factory opens ${opened.what.join(', ')}`, 'wait for the first chat or check')
      : ok('L04'),
    makeFailed ? failed('L05', makeFailed.reason) : ok('L05'),
  ];
}

function checkRejections(notes: TrialNote[]): Finding[] {
  const reasons = notes.flatMap((note) => (note.at === 'rejected' ? [note.reason] : []));
  if (reasons.length > 0)
    return reasons.map((reason) => failed('L06', `a promise was rejected without a handler: ${reason}`));
  return find(notes, 'end') ? [ok('L06')] : [];
}
