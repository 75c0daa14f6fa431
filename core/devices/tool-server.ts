import type { AgentToolServer, ContentPart, Logger } from '../contract/api';
import type { Users } from '../providers/users';
import type { Device } from './device';

/** What a tool server does now. */
export interface ServerActivity {
  /** Its processes, or the sessions with it. */
  running: number;
  /** The processes of agents, and the commands, that use it. */
  users: number;
  /** How many tools it had when it was last asked; null before. */
  tools: number | null;
  /** Why it could last not be started or asked, or what ended it; null once it has started again. */
  fault: string | null;
}

/** A server of tools: each of its tools is a function of agents. */
export interface ToolServer extends Device {
  readonly kind: 'mcp';
  /** How it is reached, for people who look: its command, or its address. Never a value of its environment or headers. */
  readonly target: string;
  /** The file of its entry. */
  readonly file: string;
  readonly activity: ServerActivity;
  /** How a program reaches it that starts it itself. Rejects where it cannot be started, as far as that can be seen. */
  reach(workingDirectory: string): Promise<Pick<AgentToolServer, 'reach' | 'timeoutMs'>>;
  /** Begins the use of the server by one process. It starts at the first question for its tools. */
  join(user: ToolUser): ToolSeat;
  /** The processes that may use it. A reload may take it out of the configuration; then it lives until they have left. */
  readonly users: Pick<Users, 'enter' | 'leave'>;
  /** Ends it when its users have left. New processes cannot find it any more. */
  retire(): Promise<void>;
  /** Ends it, for all who use it, and resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** A user of a tool server. */
export interface ToolUser {
  /** Where the process works: a program of no project runs here. */
  workingDirectory: string;
  /** Takes what the server says about its work. */
  log: Logger;
  /** The agent process. Absent for a command that looks at the server. */
  pid?: number;
  /** How many agents are between a user and the process. */
  depth?: number;
  /** The client of the gateway that the process works for. */
  client?: string;
}

/** The use of a tool server by one process. */
export interface ToolSeat {
  /** The tools that it has now. Rejects where it cannot be started or asked, with a message for the user. */
  tools(signal: AbortSignal): Promise<readonly ServerTool[]>;
  /** Runs a tool. A failure of the tool or the server is an outcome for the model; rejects only when the signal fires. */
  call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolOutcome>;
  /** The last user that leaves ends it. Resolves when nothing of it is left. Never rejects. */
  leave(): Promise<void>;
}

/** A tool as its server describes it. All of it is data from a stranger. */
export interface ServerTool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
}

export interface ToolOutcome {
  /** Texts and images. */
  content: ContentPart[];
  isError: boolean;
}

export function isToolServer(device: Device): device is ToolServer {
  return device.kind === 'mcp';
}

export function pathOfServer(name: string): string {
  return `/dev/mcp/${name}`;
}
