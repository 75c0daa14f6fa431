import { existsSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../../package';
import type { Manifest } from '../../plugins/manifest';
import { failed, type Finding, ok, skipRest, skipped, warning } from './check-codes';
import { type ProgramOutcome, runProgram } from './run-program';
import { temporaryFolder } from './temporary-folder';

/** The trial process gives up a slow import after 10 s. This longer limit stops an endless loop. */
const TRIAL_LIMIT_MS = 15_000;
const SLOW_MS = 1_000;

/** What the process that loads a plug-in has noted. Each line of its notes adds fields. */
export interface TrialNotes {
  importMs?: number;
  importFailed?: string;
  noFactory?: string;
  /** The options without a sample value. The factory was not called then. */
  notMade?: string[];
  isMaking?: true;
  makeFailed?: string;
  makeMs?: number;
  /** The resources that were opened before the driver was made, in words. */
  opened?: string[];
  rejected?: string[];
  isComplete?: true;
}

/** Loads the plug-in and makes a driver in a separate process, which the plug-in may hang or end. */
export async function checkLoading(
  { directory, codeDirectory }: { directory: string; codeDirectory: string },
  manifest: Manifest,
  limitMs = TRIAL_LIMIT_MS,
) {
  const folder = temporaryFolder('drivebay-check');
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

function readNotes(file: string): TrialNotes {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.assign({}, ...lines.map((line) => JSON.parse(line) as TrialNotes)) as TrialNotes;
}

function checkImport(notes: TrialNotes, outcome: ProgramOutcome, { main }: Manifest, folder: string): Finding[] {
  const { importMs, importFailed, noFactory } = notes;
  if (importFailed !== undefined) return [failed('L01', importFailed, adviseImport(main, folder))];
  if (importMs === undefined) return [failed('L01', `importing ${main} ${describeEnd(outcome)}`)];
  if (noFactory === undefined) return [ok('L01'), ok('L02')];
  const hint = 'module.exports = (context) => ..., or: export default (context) => ...';
  return [ok('L01'), failed('L02', noFactory, hint)];
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

function checkOutput({ importMs, makeMs = 0 }: TrialNotes, { stdout, stderr }: ProgramOutcome): Finding[] {
  if (importMs === undefined) return [];
  const findings: Finding[] = [];
  if (stdout) findings.push(failed('L03', `the plug-in prints to stdout: ${firstLine(stdout)}`, ADVICE));
  if (stderr)
    findings.push(warning('L03', `the plug-in prints by the console or to stderr: ${firstLine(stderr)}`, ADVICE));
  if (importMs > SLOW_MS) {
    findings.push(warning('L03', `the import took ${importMs} ms`, 'load large packages in the factory, or later'));
  }
  if (makeMs > SLOW_MS) {
    findings.push(
      warning('L03', `the factory took ${makeMs} ms`, 'wait in chat or check: requests wait for the factory'),
    );
  }
  return findings.length === 0 ? [ok('L03')] : findings;
}

const ADVICE = 'use context.log and call.log: the output belongs to the commands of Drivebay';

function firstLine(text: string): string {
  return JSON.stringify(text.split('\n')[0]?.slice(0, 100));
}

function checkDriver({ notMade, isMaking, makeFailed, opened }: TrialNotes, outcome: ProgramOutcome): Finding[] {
  if (notMade) {
    const why = `no sample value fits ${notMade.join(', ')}: give "examples" in its schema`;
    return [skipped('L04', why), skipped('L05', why)];
  }
  if (!isMaking) return [];
  if (!opened && makeFailed === undefined) return [failed('L05', `the factory ${describeEnd(outcome)}`)];
  return [
    opened && opened.length > 0
      ? failed('L04', `the factory opens ${opened.join(', ')}`, 'wait for the first chat or check')
      : ok('L04'),
    makeFailed === undefined ? ok('L05') : failed('L05', makeFailed),
  ];
}

function checkRejections({ rejected = [], isComplete }: TrialNotes): Finding[] {
  if (rejected.length === 0) return isComplete ? [ok('L06')] : [];
  return rejected.map((reason) => failed('L06', `a promise was rejected without a handler: ${reason}`));
}
