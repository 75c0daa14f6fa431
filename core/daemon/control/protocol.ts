import { z } from 'zod';
import { absolutePath } from '../../config/absolute-path';
import type { Problem } from '../../errors';
import { LOG_FORMATS, LOG_LEVELS } from '../../log/log-options';

// What goes over the control socket besides processes and events, which core/agents and core/events describe.
// docs/control-api.md tells it to others.

/** Whose configuration a request is about: the client's folder, and what the client said of it. */
export const projectRefSchema = z.object({
  workingDirectory: absolutePath,
  /** False leaves the project's configuration and .env files out. */
  useProject: z.boolean().default(true),
  /** The client's DRIVEBAY_ENV. */
  drivebayEnv: z.string().default(''),
  /** `ask`: what an untrusted project file must not set waits for `drivebay trust`. */
  trust: z.enum(['notify', 'ask']).default('notify'),
  /** Adds the provider of `serve --demo`. */
  demo: z.boolean().default(false),
});

export type ProjectRef = z.infer<typeof projectRefSchema>;

/** A yes or no in a query, where everything is text. */
export const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

/** The same in a query. */
export const projectQuerySchema = projectRefSchema.extend({
  useProject: flag.default(true),
  demo: flag.default(false),
});

const problemSchema = z.object({
  message: z.string(),
  place: z.object({ file: z.string(), line: z.number().optional(), column: z.number().optional() }).optional(),
  hint: z.string().optional(),
  // JSON has no undefined: what is optional is absent.
}) as unknown as z.ZodType<Problem>;

/** What a project was opened with, without a value in it: for a client to compare with what it has itself. */
export const fingerprintSchema = z.object({
  salt: z.string(),
  /** SHA-256 of each configuration file; null for one that was not there. */
  files: z.record(z.string(), z.string().nullable()),
  /** HMAC-SHA-256, with the salt, of each variable that the daemon would take from its environment; null: not set. */
  variables: z.record(z.string(), z.string().nullable()),
});

export type Fingerprint = z.infer<typeof fingerprintSchema>;

export const projectInfoSchema = z.object({
  root: z.string().nullable(),
  globalConfig: z.string(),
  /** The configuration files that were found. */
  files: z.array(z.string()),
  defaultProvider: z.string().nullable(),
  providers: z.array(z.object({ name: z.string(), driver: z.string(), model: z.string().nullable() })),
  /** For the user of this client; includes what is said once only. */
  warnings: z.array(problemSchema),
  fingerprint: fingerprintSchema,
});

export type ProjectInfo = z.infer<typeof projectInfoSchema>;

export const listenRequestSchema = z.object({
  project: projectRefSchema,
  port: z.number().int().min(1).max(65_535),
  allowHosts: z.array(z.string()).default([]),
  allowOrigins: z.array(z.string()).default([]),
  /** SHA-256, in hex, of the key that clients of the gateway must present. */
  apiKeyHash: z.hash('sha256').optional(),
  /** The variable that the key is in; no program that a driver starts sees it. */
  apiKeyEnv: z.string().optional(),
  logLevel: z.enum(LOG_LEVELS).default('info'),
  logFormat: z.enum(LOG_FORMATS).default('text'),
});

export type ListenRequest = z.infer<typeof listenRequestSchema>;

/** The lines of the answer to a listen request. */
export const listenLineSchema = z.union([
  z.object({ listening: z.object({ port: z.number(), project: projectInfoSchema }) }),
  /** One or more whole lines of its log. */
  z.object({ log: z.string() }),
  /** The listener is closed; the last line. `restarting`: because another daemon takes the place of this one. */
  z.object({ closed: z.literal(true), restarting: z.boolean().default(false) }),
]);

export const dashboardRequestSchema = z.object({
  project: projectRefSchema,
  /** Absent: a gateway that is open, else any port that is free. */
  port: z.number().int().min(1).max(65_535).optional(),
});

/** How a browser gets to the dashboard. */
export const dashboardAnswerSchema = z.object({
  /** Without a key. */
  url: z.string(),
  /** Lets in whoever has it, as long as the daemon runs. */
  token: z.string(),
  /** The same within a minute, and once. */
  ticket: z.string(),
});

export type DashboardAnswer = z.infer<typeof dashboardAnswerSchema>;

export const errorAnswerSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    problems: z.array(problemSchema).optional(),
  }),
});

export type ErrorAnswer = z.infer<typeof errorAnswerSchema>;
