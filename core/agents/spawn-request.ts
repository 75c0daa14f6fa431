import { z } from 'zod';
import { absolutePath } from '../config/absolute-path';

const given = z.string().optional();

/** What a client asks for, as plain data: it comes over the control socket. */
export const spawnRequestSchema = z.object({
  /** Reaches the model as it is. */
  intent: z.string(),
  /** The client's; the process works there. */
  workingDirectory: absolutePath,
  /** The flags; an empty text counts as not given. */
  provider: given,
  model: given,
  effort: given,
  /** What the client calls the flag of the effort, for the record. Default: `--reasoning-effort`. */
  effortFlag: z
    .string()
    .regex(/^--[a-z-]{1,40}$/)
    .optional(),
  /** `--agent`. Absent: agent.yaml of the project root, if there is one. */
  agentFile: absolutePath.optional(),
  /** `--skill`: names, or paths that the working directory is the base of. */
  skills: z.array(z.string()).default([]),
  /** For `ps`; goes before the name in agent.yaml. */
  name: given,
  /** The compose run that it belongs to. */
  compose: given,
});

export type SpawnRequest = z.infer<typeof spawnRequestSchema>;
