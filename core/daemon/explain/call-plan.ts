import { parseJson } from '../../fields';
import { showAddress, showAddresses } from '../../config/addresses';
import type { PlannedRequest } from '../../http/pool-request';
import type { PlannedCall } from '../../providers/rehearsal';
import type { PlannedProgram } from '../../subprocess/programs';
import { RUN_MARKER } from '../../subprocess/run-marker';

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

/** A value of null: the program does not get the variable. */
type EnvironmentChange = { name: string; value: string | null };

/** Takes keys and the message out of a text of a call. */
type Present = (text: string) => string;

export function describePlan({ program, request }: PlannedCall, here: NodeJS.ProcessEnv, present: Present): CallPlan {
  return program ? describeProgram(program, here, present) : describeRequest(request, present);
}

function describeProgram(program: PlannedProgram, here: NodeJS.ProcessEnv, present: Present): CallPlan {
  const { command, args, cwd, environment, input } = program;
  const names = [...new Set([...Object.keys(here), ...Object.keys(environment)])].sort();
  const changed = names.filter((name) => here[name] !== environment[name] && name !== RUN_MARKER);
  return {
    type: 'program',
    command,
    args: args.map((arg) => showAddresses(present(arg))),
    cwd,
    stdin: input === undefined ? null : present(toText(input)),
    environment: changed.map((name) => ({ name, value: describeValue(name, environment[name], here[name], present) })),
  };
}

function describeValue(name: string, value: string | undefined, before: string | undefined, present: Present) {
  if (value === undefined) return null;
  if (SECRET_NAME.test(name)) return WITHHELD;
  // PATH is long, and the user knows the one here.
  if (name === 'PATH' && before && value.startsWith(before)) return `$PATH${value.slice(before.length)}`;
  return showAddresses(present(value));
}

function describeRequest({ method, url, headers = {}, body }: PlannedRequest, present: Present): CallPlan {
  return {
    type: 'request',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url: showAddress(present(url.href)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, present(value)])),
    body: typeof body === 'string' || body instanceof Uint8Array ? toBody(present(toText(body))) : null,
  };
}

function toBody(text: string): unknown {
  return parseJson(text, text);
}

function toText(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
}
