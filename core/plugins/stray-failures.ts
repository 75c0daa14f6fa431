import { sep } from 'node:path';
import { bounded, messageOf } from '../errors';
import { packageRoot } from '../package';
import { renewCode } from './fresh-code';
import { framesOf, hasStack, realFolder, withPlace } from './place-in';

/** A plug-in whose code this process has imported. All projects of a daemon share the modules. */
interface Imported {
  driver: string;
  codeDirectory: string;
  /** Its real path, as stacks have it. */
  folder: string;
  /** Absent for code that changes with Drivebay only. */
  print?: string;
  /** Told to ES modules in their address, so that Node runs them anew. Absent: the code is that of the first import. */
  mark?: string;
  /** What it threw outside of any call, the first time. */
  reason?: string;
}

const imported = new Map<string, Imported>();

/** A failure of a plug-in outside of any call, for example in one of its timers. */
export interface StrayFailure {
  message: string;
  /** Whether it passed through code of ours, which may have left our state broken. */
  reachedUs: boolean;
}

/** Call it before the code of a plug-in is imported. Returns what `markedUrl` needs. */
export function noteImport(
  { driver, codeDirectory }: Pick<Imported, 'driver' | 'codeDirectory'>,
  print?: string,
): string | undefined {
  const before = imported.get(codeDirectory);
  if (before && before.print === print) return before.mark;
  const mark = before && print;
  // What other code threw says nothing of this one.
  imported.set(codeDirectory, { driver, codeDirectory, folder: realFolder(codeDirectory), print, mark });
  if (mark !== undefined) renewCode(codeDirectory);
  return mark;
}

/** Whether a file of a stack belongs to a plug-in. */
export function isPluginCode(file: string): boolean {
  return [...imported.values()].some(({ folder }) => file.startsWith(folder));
}

/** Why the plug-in with this code counts as `failed` although it could be loaded. */
export function strayReason(codeDirectory: string): string | undefined {
  return imported.get(codeDirectory)?.reason;
}

/** The reasons by the folders of code, for other programs. */
export function strayReasons(): Record<string, string> {
  const failed = [...imported].flatMap(([codeDirectory, { reason }]) => (reason ? [[codeDirectory, reason]] : []));
  return Object.fromEntries(failed) as Record<string, string>;
}

/** Takes over what plug-ins threw in a daemon: this program can load them. */
export function adoptReasons(reasons: Record<string, string> = {}): void {
  for (const [codeDirectory, reason] of Object.entries(reasons)) {
    const plugin = imported.get(codeDirectory);
    if (plugin) plugin.reason ??= `in the daemon, ${reason}`;
  }
}

/** Pins a rejection or an exception that no code has handled on the plug-in that its stack names. It is `failed` then. */
export function pinStray(thrown: unknown, redact = (text: string) => text): StrayFailure | undefined {
  const files = framesOf(thrown).map(({ file }) => file);
  const all = [...imported.values()];
  const isOf = (file: string) => all.find(({ folder }) => file.startsWith(folder));
  const owner = files.map(isOf).find((found) => found !== undefined);
  if (!owner) return hasStack(thrown) ? undefined : pinNameless(bounded(redact(messageOf(thrown))), all);
  const what = withPlace(bounded(redact(messageOf(thrown))), owner.codeDirectory, thrown);
  owner.reason ??= `it threw outside of any call: ${what}`;
  const callers = files.slice(files.findLastIndex((file) => isOf(file) === owner) + 1);
  // An event target reports what its listeners throw, and goes on.
  const border = callers.findIndex((file) => file.startsWith('node:internal/event_target'));
  const interrupted = border === -1 ? callers : callers.slice(0, border);
  return {
    message: `plug-in "${owner.driver}" threw outside of any call: ${what}`,
    reachedUs: interrupted.some((file) => file.startsWith(packageRoot + sep) && !isOf(file)),
  };
}

/** Code of ours throws errors only, so a value without a stack comes from a plug-in, though nothing tells from which. */
function pinNameless(what: string, all: readonly Imported[]): StrayFailure | undefined {
  const [first, ...others] = all;
  if (!first) return undefined;
  const deed = `threw outside of any call: ${what}, which is not an Error and has no stack`;
  if (others.length === 0) first.reason ??= `it ${deed}`;
  const names = all.map(({ driver }) => `"${driver}"`);
  const subject = others.length === 0 ? `plug-in ${names[0]}` : `one of the plug-ins ${names.join(', ')}`;
  return { message: `${subject} ${deed}`, reachedUs: false };
}
