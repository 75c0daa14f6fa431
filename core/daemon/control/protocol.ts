import { z } from 'zod';
import type { ComposeEvent } from '../../agents/compose/compose-event';
import { absolutePath } from '../../config/field-types';
import type { Problem } from '../../errors';
import { LOG_FORMATS, LOG_LEVELS } from '../../log/log-options';
import { parseIdentity } from '../../subprocess/run-marker';

// The shapes that go over the control socket. docs/control-api.md describes them for other programs.

/** The project that a request is about, and the options that the client opens it with. */
export const projectRefSchema = z.object({
  workingDirectory: absolutePath,
  /** False leaves the project's configuration and .env files out. */
  useProject: z.boolean().default(true),
  drivebayEnv: z.string().default(''),
  /** The client's DRIVEBAY_PLUGIN_PATH, with absolute paths. Absent: that of the daemon. */
  pluginPath: z.string().optional(),
  /** `ask`: what an untrusted project file must not set waits for `drivebay trust`. */
  trust: z.enum(['notify', 'ask']).default('notify'),
  /** Adds the provider of `serve --demo`. */
  demo: z.boolean().default(false),
});

export type ProjectRef = z.infer<typeof projectRefSchema>;

/** A yes or no in a query, where every value is a text. */
export const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

export const projectQuerySchema = projectRefSchema.extend({
  useProject: flag.default(true),
  demo: flag.default(false),
});

/** Hashes of what a project was opened with. A client compares them with its own files and variables. */
export interface Fingerprint {
  salt: string;
  /** SHA-256 of each configuration file; null where the file did not exist. */
  files: Readonly<Record<string, string | null>>;
  /** HMAC-SHA-256, with the salt, of each variable that the daemon would take from its environment; null: not set. */
  variables: Record<string, string | null>;
}

export interface ProjectInfo {
  root: string | null;
  globalConfig: string;
  files: string[];
  defaultProvider: string | null;
  providers: {
    name: string;
    driver: string;
    driverAlias: string;
    model: string | null;
    /** The NAME of the variable with its key. */
    key: string | null;
    /** Whether it takes tools of clients. */
    tools: boolean;
    /** The context windows that are known, in tokens, by model. */
    contextWindows: Record<string, number>;
  }[];
  /** For the user of this client; includes notices, which only the first client gets. */
  warnings: Problem[];
  fingerprint: Fingerprint;
}

export const listenRequestSchema = z.object({
  project: projectRefSchema,
  /** 0: any free port. */
  port: z.number().int().min(0).max(65_535),
  allowHosts: z.array(z.string()).default([]),
  allowOrigins: z.array(z.string()).default([]),
  /** SHA-256, in hex, of the key that clients of the gateway must present. */
  apiKeyHash: z.hash('sha256').optional(),
  /** The variable that holds the key; it is kept from the programs that drivers start. */
  apiKeyEnv: z.string().optional(),
  upstreamStatus: z.boolean().optional(),
  /** Whether it serves `GET /metrics`. */
  metrics: z.boolean().optional(),
  /** Writes each request that has ended into a file of this folder. */
  record: z.object({ folder: absolutePath, withContent: z.boolean().default(false) }).optional(),
  /** Serves MCP clients, too, with files of these folders; empty: those of the project. */
  mcp: z.object({ roots: z.array(absolutePath) }).optional(),
  /** Reloads when a file of the configuration has changed, as long as the listener is open. */
  watch: z.boolean().optional(),
  /** The names of the providers to check when the listener opens. Absent: all of them, and the keys of clients. */
  checks: z.array(z.string()).optional(),
  logLevel: z.enum(LOG_LEVELS).default('info'),
  logFormat: z.enum(LOG_FORMATS).default('text'),
});

export type ListenRequest = z.infer<typeof listenRequestSchema>;

const identity = z.string().transform((text, context) => {
  const found = parseIdentity(text);
  if (found) return found;
  context.addIssue('expected NAMESPACE.PID.START');
  return z.NEVER;
});

/** The program that `launch` has started on a gateway, and that `launch` itself. */
export const launchedSchema = z.object({ program: identity, launcher: identity });

export type Launched = z.output<typeof launchedSchema>;

/** A line of the answer to `POST /v1/listeners`. */
export type ListenLine =
  | { listening: { port: number; project: ProjectInfo } }
  /** One or more whole lines of its log. */
  | { log: string }
  /** The providers have been checked, and the log has said what is wrong. */
  | { checked: true }
  /** The last line. `restarting`: another daemon takes the place of this one. */
  | { closed: true; restarting: boolean };

export const dashboardRequestSchema = z.object({
  project: projectRefSchema,
  /** Absent: an open gateway, else any free port. */
  port: z.number().int().min(1).max(65_535).optional(),
});

export interface DashboardAnswer {
  /** Without a key. */
  url: string;
  /** Lets its holder in, as long as the daemon runs. */
  token: string;
  /** Lets its holder in once, within a minute. */
  ticket: string;
}

export interface ErrorAnswer {
  error: { code: string; message: string; hint?: string; problems?: readonly Problem[] };
}

/** A line of the answer to an attached `POST /v1/compose`. */
export type ComposeLine = { type: 'started'; name: string; file: string } | ComposeEvent;
