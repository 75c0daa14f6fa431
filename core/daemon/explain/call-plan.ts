import type { PlannedCall } from '../../providers/rehearsal';
import type { PlannedRequest } from '../../http/pool-request';
import type { PlannedProgram } from '../../subprocess/programs';
import { RUN_MARKER } from '../../subprocess/run-marker';

/** What stands where the message of a client would. */
const MESSAGE = '<the message>';
/** Nobody needs to see what is in these. */
const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie/i;
const WITHHELD = '<not shown>';

export type CallPlan =
  | {
      type: 'program';
      command: string;
      args: string[];
      cwd: string;
      /** Null: it is written while the program runs. */
      stdin: string | null;
      /** The differences between the environment here and the program's. */
      environment: EnvironmentChange[];
    }
  | { type: 'request'; method: string; url: string; headers: Record<string, string>; body: unknown };

export interface EnvironmentChange {
  name: string;
  /** Null: the program does not get the variable. */
  value: string | null;
}

/** What is needed to present a call. */
export interface Surroundings {
  /** The environment of this process. */
  environment: NodeJS.ProcessEnv;
  /** What stands for the message in the call. */
  message: string;
  redact: (text: string) => string;
  /** The keys that a call may hold, each with the name of its variable. */
  keys: (readonly [name: string, value: string])[];
}

/** Puts a call into words that may be shown: without keys, and with a placeholder for the message. */
export function describePlan({ program, request }: PlannedCall, surroundings: Surroundings): CallPlan {
  return program ? describeProgram(program, surroundings) : describeRequest(request, surroundings);
}

function describeProgram({ command, args, cwd, environment, input }: PlannedProgram, around: Surroundings): CallPlan {
  return {
    type: 'program',
    command,
    args: args.map((arg) => present(arg, around)),
    cwd,
    stdin: input === undefined ? null : present(toText(input), around),
    environment: compareEnvironments(around.environment, environment, around),
  };
}

function compareEnvironments(
  here: NodeJS.ProcessEnv,
  there: NodeJS.ProcessEnv,
  around: Surroundings,
): EnvironmentChange[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])].sort();
  return names
    .filter((name) => here[name] !== there[name] && name !== RUN_MARKER)
    .map((name) => {
      const value = there[name];
      if (value === undefined) return { name, value: null };
      if (SECRET_NAME.test(name)) return { name, value: WITHHELD };
      const added = name === 'PATH' ? addedFolders(here.PATH, value) : undefined;
      return { name, value: added ?? present(value, around) };
    });
}

/** The whole PATH is long, and known. */
function addedFolders(before: string | undefined, after: string): string | undefined {
  return before && after.startsWith(before) ? `$PATH${after.slice(before.length)}` : undefined;
}

function describeRequest({ method, url, headers = {}, body }: PlannedRequest, around: Surroundings): CallPlan {
  const text = typeof body === 'string' || body instanceof Uint8Array ? present(toText(body), around) : undefined;
  return {
    type: 'request',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url: present(url.href, around),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, present(value, around)])),
    body: text === undefined ? null : parsed(text),
  };
}

/** A key of fewer characters than a redactor cares for is known here all the same. */
function present(text: string, { message, redact, keys }: Surroundings): string {
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
