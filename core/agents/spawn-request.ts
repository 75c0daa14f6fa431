import { z } from 'zod';
import { absolutePath } from '../config/field-types';
import { HintedError, UsageError } from '../errors';

/** An empty text counts as absent. */
const given = z.string().optional();

/** The request of a client for a process, as plain data: it comes over the control socket. */
export const spawnRequestSchema = z.object({
  /** Reaches the model as it is. */
  intent: z.string(),
  /** The client's; the process works there. */
  workingDirectory: absolutePath,
  provider: given,
  model: given,
  effort: given,
  /** The client's name for the flag of the effort, for the record. Default: `--reasoning-effort`. */
  effortFlag: z
    .string()
    .regex(/^--[a-z-]{1,40}$/)
    .optional(),
  /** `--agent`. Absent: agent.yaml of the project root, if there is one. */
  agentFile: absolutePath.optional(),
  /** `--skill`: names, or paths from the working directory. */
  skills: z.array(z.string()).default([]),
  /** For `ps`; goes before the name in agent.yaml. */
  name: given,
  /** Whether the client can ask its user: then a provider that acts without asking is refused with an AskFirstError. */
  askFirst: z.boolean().optional(),
  compose: given,
  /** Pid or uuid of an ended process, whose conversation goes on with this intent. */
  continues: z.union([z.string(), z.number()]).optional(),
});

export type SpawnRequest = z.infer<typeof spawnRequestSchema> & {
  /** How many agents are between a user and the client; absent: none. */
  depth?: number;
  /** The client of the gateway that asks; absent: the owner. */
  client?: string;
};

/** The field of a request that is wrong: the flag of that name, or the key in a compose file. */
export type SpawnField = 'intent' | 'provider' | 'model' | 'agent' | 'skills';

/** A request that no process can be made of. */
export class SpawnError extends UsageError {
  constructor(
    readonly field: SpawnField,
    message: string,
    hint?: string,
  ) {
    super(message, hint);
    this.name = 'SpawnError';
  }
}

/** The client has to ask its user, and repeat the request without `askFirst`. */
export class AskFirstError extends HintedError {
  readonly code = 'ask_first';
}
