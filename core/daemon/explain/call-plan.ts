import type { PlannedCall } from '../../providers/rehearsal';
import type { PlannedRequest } from '../../http/pool-request';
import type { PlannedProgram } from '../../subprocess/programs';
import { RUN_MARKER } from '../../subprocess/run-marker';

/** Stands for the message of a client. */
const MESSAGE = '<the message>';
/** The values of variables with such names are not shown. */
const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie/i;
const WITHHELD = '<not shown>';

export type CallPlan =
  | {
      type: 'program';
      command: string;
      args: string[];
      cwd: string;
      /** Null: the driver writes it while the program runs. */
      stdin: string | null;
      /** How the environment of the program differs from this process's. */
      environment: EnvironmentChange[];
    }
  | { type: 'request'; method: string; url: string; headers: Record<string, string>; body: unknown };

export interface EnvironmentChange {
  name: string;
  /** Null: the program does not get the variable. */
  value: string | null;
}

export interface PlanContext {
  /** The environment of this process. */
  environment: NodeJS.ProcessEnv;
  /** The text that stands for the message in the call. */
  message: string;
  redact: (text: string) => string;
  /** The keys that a call may hold, each with the name of its variable. */
  keys: (readonly [name: string, value: string])[];
}

/** Describes a call without its keys, and with a placeholder for the message. */
export function describePlan({ program, request }: PlannedCall, context: PlanContext): CallPlan {
  return program ? describeProgram(program, context) : describeRequest(request, context);
}

function describeProgram({ command, args, cwd, environment, input }: PlannedProgram, context: PlanContext): CallPlan {
  return {
    type: 'program',
    command,
    args: args.map((arg) => present(arg, context)),
    cwd,
    stdin: input === undefined ? null : present(toText(input), context),
    environment: compareEnvironments(context.environment, environment, context),
  };
}

function compareEnvironments(
  here: NodeJS.ProcessEnv,
  there: NodeJS.ProcessEnv,
  context: PlanContext,
): EnvironmentChange[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])].sort();
  return names
    .filter((name) => here[name] !== there[name] && name !== RUN_MARKER)
    .map((name) => {
      const value = there[name];
      if (value === undefined) return { name, value: null };
      if (SECRET_NAME.test(name)) return { name, value: WITHHELD };
      const added = name === 'PATH' ? addedFolders(here.PATH, value) : undefined;
      return { name, value: added ?? present(value, context) };
    });
}

/** PATH is long, and the user knows the one here. */
function addedFolders(before: string | undefined, after: string): string | undefined {
  return before && after.startsWith(before) ? `$PATH${after.slice(before.length)}` : undefined;
}

function describeRequest({ method, url, headers = {}, body }: PlannedRequest, context: PlanContext): CallPlan {
  const text = typeof body === 'string' || body instanceof Uint8Array ? present(toText(body), context) : undefined;
  return {
    type: 'request',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url: present(url.href, context),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, present(value, context)])),
    body: text === undefined ? null : parsed(text),
  };
}

/** A redactor ignores very short keys. Here all keys are known, so even those are hidden. */
function present(text: string, { message, redact, keys }: PlanContext): string {
  const withoutKeys = keys.reduce((rest, [name, value]) => rest.replaceAll(value, `<${name}>`), text);
  return redact(withoutKeys).replaceAll(message, MESSAGE);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function toText(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
}
