import { fieldsOf, textOf } from '../_shared/fields';
import { packageOf } from './package-of';

/** How a program ends when its Node is too old. */
const TOO_OLD =
  /SyntaxError: Invalid regular expression flags|SyntaxError: The requested module 'node:[^']+' does not provide|ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module: node:/;
/** The last line of a Node program that threw. */
const RUNS_ON = /^Node\.js v(\d+)\.[\d.]+$/m;

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
