import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fieldsIn, fieldsOf, textOf, type Fields } from '../_shared/fields';

/** A program is some folders below its package. */
const MOST_LEVELS = 4;
/** How a program ends when its Node is too old. */
const TOO_OLD =
  /SyntaxError: Invalid regular expression flags|SyntaxError: The requested module 'node:[^']+' does not provide|ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module: node:/;
/** The last line of a Node program that threw. */
const RUNS_ON = /^Node\.js v(\d+)\.[\d.]+$/m;

/** The package.json of the package that a program is in. Empty where there is none. */
export async function packageOf(path: string): Promise<Fields> {
  let folder = dirname(await realpath(path).catch(() => path));
  for (let level = 0; level < MOST_LEVELS; level += 1, folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return fieldsIn(text);
  }
  return {};
}

/** The Node that a program's package wants, for example `>=22.0.0`, when the program ended because it ran on an older one. */
export async function neededNode(path: string, stderr: string): Promise<string | undefined> {
  const running = RUNS_ON.exec(stderr)?.[1];
  const isTooOld = TOO_OLD.test(stderr);
  if (!isTooOld && running === undefined) return undefined;
  const wanted = textOf(fieldsOf((await packageOf(path)).engines).node);
  const least = /\d+/.exec(wanted ?? '')?.[0];
  if (!isTooOld && (least === undefined || Number(running) >= Number(least))) return undefined;
  return wanted ?? 'in a newer version';
}
