import { z } from 'zod';
import { explainRoot } from '../config/describe-found';
import { readDocument } from '../config/document';
import { nodeAt, placeOf, valueOf, type LocatedMap, type Path } from '../config/located';
import { validate } from '../config/problems';
import type { Position, Problem } from '../errors';

const text = z.string();

const modelsSchema = z.strictObject({
  provider: text.optional().describe('The provider to use'),
  preferred: text.optional().describe('The model to use with that provider'),
  fallback: text.optional().describe('The provider that takes over when the first one fails'),
  reasoning_effort: text.optional().describe('Reasoning effort, passed on as it is'),
});

const agentSchema = z
  .strictObject({
    name: text.optional().describe('Name of the process in lists'),
    instructions: text.optional().describe('The system prompt'),
    skills: z.array(text.min(1)).optional().describe('Folders with a SKILL.md: paths, or names of skills'),
    allowed_tools: z.array(text.min(1)).optional().describe('The devices that the model may use; none: []'),
    models: modelsSchema.optional().describe('Provider and model'),
  })
  .describe('Drivebay agent');

type AgentValues = z.infer<typeof agentSchema>;

export interface AgentManifest {
  file?: string;
  /** The valid values, also when others are not. */
  values: AgentValues;
  problems: Problem[];
  warnings: Problem[];
  placeOf: (path: Path) => Position | undefined;
}

export const NO_MANIFEST: AgentManifest = { values: {}, problems: [], warnings: [], placeOf: () => undefined };

/** Reads an agent.yaml. Never throws; undefined when the file does not exist. */
export function readAgentManifest(file: string): AgentManifest | undefined {
  const { exists, root, problems } = readDocument(file);
  if (!exists) return undefined;
  if (root?.kind !== 'map') {
    if (root) problems.push(explainRoot(root, Object.keys(agentSchema.shape).join(', ')));
    return { ...NO_MANIFEST, file, problems };
  }
  const { value, problems: mistakes, warnings } = validate(agentSchema, root, '');
  return {
    file,
    values: value ?? salvage(root),
    problems: [...problems, ...mistakes],
    warnings,
    placeOf: (path) => placeOf(root, path),
  };
}

/** The valid values among those that are checked further, so that one run reports all mistakes. */
function salvage(root: LocatedMap): AgentValues {
  const pick = <Value>(schema: z.ZodType<Value>, path: Path): Value | undefined => {
    const node = nodeAt(root, path);
    return node && schema.safeParse(valueOf(node)).data;
  };
  return {
    skills: pick(agentSchema.shape.skills, ['skills']),
    models: { provider: pick(modelsSchema.shape.provider, ['models', 'provider']) },
  };
}
