import { z } from 'zod';
import { explainRoot } from '../../config/describe-found';
import { readDocument } from '../../config/document';
import { placeOf, type Path } from '../../config/located';
import { validate } from '../../config/problems';
import { ConfigError, type Position, type Problem, UsageError } from '../../errors';
import { explainNeeds } from './needs';

const text = z.string();
/** `{{name}}`. A backslash before it stands for the text itself. */
const REFERENCE = /(\\?)\{\{\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*\}\}/g;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const agentSchema = z.strictObject({
  intent: text.min(1).describe('What to do; {{name}} stands for the answer of another agent'),
  needs: z.array(text).optional().describe('The agents that have to be done before'),
  provider: text.optional(),
  model: text.optional(),
  reasoning_effort: text.optional(),
  agent: text.min(1).optional().describe('An agent.yaml, from the folder of this file'),
  skills: z.array(text.min(1)).optional(),
});

const composeSchema = z
  .strictObject({
    name: text.regex(NAME).optional().describe('Name of the run; absent: the name of the folder'),
    agents: z.record(text.regex(NAME), agentSchema).describe('The agents by name'),
  })
  .describe('Drivebay compose file');

type AgentEntry = z.infer<typeof agentSchema>;

export interface ComposeAgent extends AgentEntry {
  name: string;
  /** `needs`, and the agents that the intent refers to. */
  needs: string[];
}

export interface ComposeFile {
  file: string;
  name?: string;
  agents: ComposeAgent[];
  warnings: Problem[];
  /** The place of a value, or of the next value around it. */
  placeOf: (path: Path) => Position;
}

/** Reads and checks a compose file. Throws a ConfigError with every problem, or a UsageError when there is no file. */
export function readComposeFile(file: string): ComposeFile {
  const { exists, root, problems } = readDocument(file);
  if (!exists) throw new UsageError(`there is no file ${file}`, 'name a compose file');
  if (!root || problems.length > 0) throw new ConfigError(problems);
  if (root.kind !== 'map') throw new ConfigError([explainRoot(root, 'name and agents')]);
  const { value, problems: mistakes, warnings } = validate(composeSchema, root, '');
  if (!value) throw new ConfigError(mistakes);
  const at = (path: Path) => placeOf(root, path);
  const agents = Object.entries(value.agents).map(([name, entry]) => {
    const { needs: declared = [] } = entry;
    return { ...entry, name, declared, needs: [...new Set([...declared, ...referencesIn(entry.intent)])] };
  });
  const wrong = explainNeeds(agents, at);
  if (agents.length === 0) wrong.push({ message: 'agents: found none, expected at least one', place: at(['agents']) });
  if (wrong.length > 0) throw new ConfigError(wrong);
  return { file, name: value.name, agents, warnings, placeOf: at };
}

function referencesIn(intent: string): string[] {
  return [...intent.matchAll(REFERENCE)].filter(([, escape]) => !escape).map(([, , name]) => name!);
}

/** Replaces the references in an intent by the answers, which are not searched for references themselves. */
export function fillIn(intent: string, answers: ReadonlyMap<string, string>): string {
  return intent.replace(REFERENCE, (whole, escape: string, name: string) =>
    escape ? whole.slice(1) : (answers.get(name) ?? whole),
  );
}
