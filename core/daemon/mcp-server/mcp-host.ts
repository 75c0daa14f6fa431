import type { AllowedDevices } from '../../gateway/clients/allowed-devices';
import type { ProcessOrigin } from '../../record/process-event';
import type { ControlClient } from '../client/control-client';
import type { ProjectInfo, ProjectRef } from '../control/protocol';

/** What the MCP server stands on: a daemon, the project that it asks for, and what its client may see of this machine. */
export interface McpHost {
  /** A daemon that has opened the project. Rejects with a ConfigError where the configuration has mistakes. */
  open(): Promise<{ client: ControlClient; project: ProjectInfo }>;
  /** The project of the server, or that of another folder. */
  ref(folder?: string): ProjectRef;
  /** The folders beyond which no agent works, whatever the client says. Absent: its roots alone decide. */
  readonly bounds: readonly string[] | undefined;
  /** Those beyond which no file is read. */
  readonly fileBounds: readonly string[] | undefined;
  /** The client of the gateway, as its entry names it; absent: the owner. */
  readonly client?: string;
  /** Whether the client may see an agent process. */
  sees(process: Pick<ProcessOrigin, 'workingDirectory' | 'client'>): boolean;
  /** What the client may ask for, after `open`; undefined: everything. */
  allowed(): AllowedDevices | undefined;
  /** What a client does to get files read that has no roots. */
  readonly howToAllow: string;
}
