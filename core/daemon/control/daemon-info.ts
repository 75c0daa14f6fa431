import { isFields } from '../../fields';

// What a daemon says of itself. Every command that may find one reads it: by hand, because loading zod takes longer than
// the rest of a short command.

const MODES = ['background', 'foreground', 'serve'] as const;

export interface DaemonListenerInfo {
  port: number;
  project: string | null;
  demo: boolean;
  /** `dashboard`: opened by `drivebay dashboard`, and answers no chats. */
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
  /** The two folders that it belongs to. */
  config: string;
  state: string;
  /** Where its log is; null where it goes to a terminal. */
  log: string | null;
  listeners: DaemonListenerInfo[];
  /** How many agent processes run. */
  processes: number;
  /** How many processes are not, or not wholly, in the index on disk. Absent: the daemon does not say. */
  unwritten?: number;
}

/** A daemon, and where it is. */
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
