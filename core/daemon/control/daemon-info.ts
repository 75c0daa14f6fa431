import { isFields } from '../../fields';

// What a daemon says of itself. Every command that may find a daemon reads this, and checks it without zod: loading zod
// takes longer than the rest of a short command.

/** The version of the control API: the `v1` of its paths. */
export const CONTROL_API = 1;

const MODES = ['background', 'foreground', 'serve'] as const;

export interface DaemonListenerInfo {
  port: number;
  project: string | null;
  demo: boolean;
  /** `dashboard`: opened by `drivebay dashboard`; answers no chats. */
  serves: 'gateway' | 'dashboard';
}

export interface DaemonInfo {
  product: string;
  version: string;
  api: number;
  pid: number;
  /** `background`, `foreground` (`daemon run`) or `serve`. */
  mode: (typeof MODES)[number];
  startedAt: number;
  /** The two folders that the daemon belongs to. */
  config: string;
  state: string;
  /** The file of its log; null where the log goes to a terminal. */
  log: string | null;
  listeners: DaemonListenerInfo[];
  /** How many agent processes run. */
  processes: number;
  /** How many processes are not yet, or not wholly, in the index on disk. Absent in answers of older daemons. */
  unwritten?: number;
}

/** A daemon and its socket. */
export interface DaemonPlace {
  socket: string;
  info: DaemonInfo;
}

const TEXTS = ['product', 'version', 'config', 'state'];
const NUMBERS = ['api', 'pid', 'startedAt', 'processes'];

export function isDaemonInfo(value: unknown): value is DaemonInfo {
  if (!isFields(value)) return false;
  const { mode, log, listeners, unwritten = 0 } = value;
  return (
    TEXTS.every((name) => typeof value[name] === 'string') &&
    NUMBERS.every((name) => typeof value[name] === 'number') &&
    MODES.some((each) => each === mode) &&
    (log === null || typeof log === 'string') &&
    typeof unwritten === 'number' &&
    Array.isArray(listeners) &&
    listeners.every(isListenerInfo)
  );
}

export function isDaemonPlace(value: unknown): value is DaemonPlace {
  return isFields(value) && typeof value.socket === 'string' && isDaemonInfo(value.info);
}

function isListenerInfo(value: unknown): value is DaemonListenerInfo {
  if (!isFields(value)) return false;
  const { port, project, demo, serves } = value;
  return (
    typeof port === 'number' &&
    (project === null || typeof project === 'string') &&
    typeof demo === 'boolean' &&
    (serves === 'gateway' || serves === 'dashboard')
  );
}
