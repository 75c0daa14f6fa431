import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { absolutePath } from '../../config/field-types';
import type { SpawnRequest } from '../spawn-request';
import type { ComposeAgent, ComposeFile } from './compose-file';

/** The request of a client for a run, as plain data: it comes over the control socket. */
export const composeRequestSchema = z.object({
  file: absolutePath,
  /** The client's; the processes work there. */
  workingDirectory: absolutePath,
  /** As in a spawn request. */
  askFirst: z.boolean().optional(),
});

export type ComposeRequest = z.infer<typeof composeRequestSchema> & Pick<SpawnRequest, 'depth'>;

/** The request for the process of an agent. Paths in the file begin at its folder. */
export function requestFor(
  agent: ComposeAgent,
  { file, name, workingDirectory }: { file: ComposeFile; name: string; workingDirectory: string },
): SpawnRequest {
  const folder = dirname(file.file);
  return {
    intent: agent.intent,
    workingDirectory,
    provider: agent.provider,
    model: agent.model,
    effort: agent.reasoning_effort,
    skills: (agent.skills ?? []).map((skill) => (isRelativePath(skill) ? resolve(folder, skill) : skill)),
    name: agent.name,
    compose: name,
    agentFile: agent.agent && resolve(folder, agent.agent),
  };
}

/** Neither the name of a skill nor a path that begins at the home folder. */
function isRelativePath(skill: string): boolean {
  return /^\.|\//.test(skill) && !skill.startsWith('~');
}
