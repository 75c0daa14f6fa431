import type { ControlClient } from '../client/control-client';
import type { ProjectInfo, ProjectRef } from '../control/protocol';

/** What the MCP server stands on: a daemon, the project that it asks for, and what its client may see of this machine. */
export interface McpHost {
  /** A daemon that has opened the project. Rejects with a ConfigError where the configuration has mistakes. */
  open(): Promise<{ client: ControlClient; project: ProjectInfo }>;
  /** The project of the server, or that of another folder. */
  ref(folder?: string): ProjectRef;
  /** The folders beyond which no file is read, whatever the client says. Absent: its roots alone decide. */
  readonly bounds: readonly string[] | undefined;
  /** Whether the client may see the agent processes that work in a folder. */
  sees(workingDirectory: string): boolean;
  /** What a client does to get files read that has no roots. */
  readonly howToAllow: string;
}
