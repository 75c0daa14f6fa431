import { isFields } from '../../fields';
import { productName } from '../../package';
import type { ListenerRow } from '../../dashboard/protocol';

// What a daemon says of itself. Every command that may find a daemon reads this, and checks it without zod: loading zod
// takes longer than the rest of a short command.

/** The version of the control API: the `v1` of its paths. */
export const CONTROL_API = 1;

export interface DaemonInfo {
  product: string;
  version: string;
  api: number;
  pid: number;
  /** `foreground`: `drivebay daemon run`. `service`: `drivebay serve`, started by a service manager. */
  mode: 'background' | 'foreground' | 'serve' | 'service';
  startedAt: number;
  config: string;
  state: string;
  /** The file of its log; null where the log goes to a terminal. */
  log: string | null;
  /** `pluginPath` as its client gave it. */
  listeners: (ListenerRow & {
    demo: boolean;
    useProject: boolean;
    pluginPath?: string;
    /** The process id of the program that `launch` has opened it for. */
    program?: number;
  })[];
  /** The NAMES of the keys that only the daemon's own environment has. */
  variables: string[];
  /** What plug-ins threw outside of any call, by the folder of their code. */
  failures: Record<string, string>;
  /** Models that clients asked its gateways for, and that no provider serves. */
  unserved: { project: string | null; model: string; advice: string }[];
  processes: number;
  /** How many processes are not yet, or not wholly, in the index on disk. */
  unwritten: number;
}

export interface DaemonPlace {
  socket: string;
  info: DaemonInfo;
}

/** Whether a daemon sent this. One of another version may lack fields: see versionNotice. */
export function isDaemonInfo(value: unknown): value is DaemonInfo {
  return isFields(value) && value.product === productName && typeof value.version === 'string' && !!value.api;
}
