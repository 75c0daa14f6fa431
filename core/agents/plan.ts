import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Message } from '../contract/api';
import { ConfigError, type Position, type Problem, UsageError } from '../errors';
import { isFolder } from '../make-folder';
import type { ProcessOrigin, RecordedSession } from '../record/process-event';
import { NO_MANIFEST, readAgentManifest, type AgentManifest } from './agent-manifest';
import type { AgentProject } from './agent-project';
import type { EarlierProcess } from './earlier-process';
import { resolveModels, type ResolvedModels } from './resolve-models';
import { findSkill, type LoadedSkill } from './skills';
import { AskFirstError, SpawnError, type SpawnRequest } from './spawn-request';
import { ToolBox } from './tool-box';

/** Everything that is decided before a process begins. */
export interface Plan extends Omit<ResolvedModels, 'warnings'> {
  origin: Omit<ProcessOrigin, 'pid' | 'uuid' | 'daemon'>;
  instructions: string;
  skills: LoadedSkill[];
  tools: ToolBox;
  warnings: Problem[];
  /** What was said before the intent, in the processes that this one continues. */
  history: Message[];
  /** Where the backend of the earlier process keeps the history. */
  session?: RecordedSession;
  /** How many agents are between a user and the process. */
  depth?: number;
}

/** Reads and checks everything that a process needs. Throws a UsageError or a ConfigError; nothing has begun then. */
export function planProcess(project: AgentProject, asked: SpawnRequest, earlier?: EarlierProcess): Plan {
  const request = earlier ? continued(asked, earlier) : asked;
  checkRequest(request);
  const manifest = manifestOf(project, request);
  const { skills, problems } = findSkills(project, manifest, request);
  const models = resolveModels(project, manifest, request, earlier?.view);
  problems.unshift(...manifest.problems);
  if ('problem' in models) problems.push(models.problem);
  const [first, ...more] = problems;
  // A mistake that stands only on the command line is no mistake of the configuration.
  if (first && !first.place && more.length === 0) throw new SpawnError('skills', first.message, first.hint);
  if ('problem' in models || first) throw new ConfigError(problems);
  if (request.askFirst) refuseToAct(models);
  const { values } = manifest;
  const tools = new ToolBox(project.devices.list(), manifest, project.heldServers);
  const { intent, workingDirectory, compose } = request;
  return {
    ...models,
    origin: {
      intent,
      workingDirectory,
      project: project.root,
      name: request.name || values.name || undefined,
      compose,
      client: request.client,
      continues: earlier?.view.pid,
      agentFile: request.agentFile,
      skills: request.skills.length > 0 ? request.skills : undefined,
    },
    instructions: values.instructions ?? '',
    skills,
    history: earlier?.messages ?? [],
    session: earlier?.session,
    tools,
    depth: request.depth,
    warnings: [
      ...manifest.warnings,
      ...models.warnings,
      ...tools.warnings,
      ...uselessTools(manifest, models),
      ...unusedManifest(project, request),
    ],
  };
}

/** What the client does not name stays as it was in the earlier process. */
function continued(request: SpawnRequest, { view }: EarlierProcess): SpawnRequest {
  const { agentFile = view.agentFile, skills, name = view.name } = request;
  return { ...request, agentFile, name, skills: skills.length > 0 ? skills : (view.skills ?? []) };
}

function checkRequest({ intent, workingDirectory }: SpawnRequest): void {
  if (intent.trim() === '') throw new SpawnError('intent', 'the intent is empty', 'say what to do');
  if (isFolder(workingDirectory)) return;
  throw new UsageError(`the working directory ${workingDirectory} does not exist`);
}

function manifestOf({ root }: AgentProject, { agentFile }: SpawnRequest): AgentManifest {
  if (agentFile !== undefined) {
    const manifest = readAgentManifest(agentFile);
    if (manifest) return manifest;
    throw new SpawnError('agent', `there is no agent file ${agentFile}`);
  }
  return (root !== undefined && readAgentManifest(join(root, 'agent.yaml'))) || NO_MANIFEST;
}

function findSkills(
  { root, userSkills: user }: AgentProject,
  { file, values, placeOf }: AgentManifest,
  request: SpawnRequest,
): { skills: LoadedSkill[]; problems: Problem[] } {
  const inFile = file === undefined ? [] : (values.skills ?? []);
  const base = file === undefined ? request.workingDirectory : dirname(file);
  const skills = new Map<string, LoadedSkill>();
  const problems: Problem[] = [];
  const find = (name: string, from: string, place?: Position) => {
    const found = findSkill(name, { base: from, root, user });
    if ('text' in found) skills.set(found.directory, found);
    else problems.push({ ...found, place });
  };
  inFile.forEach((name, index) => find(name, base, placeOf(['skills', index])));
  for (const name of request.skills) find(name, request.workingDirectory);
  return { skills: [...skills.values()], problems };
}

/** Outside of a project a file in the folder has no effect, so that a folder that was unpacked somewhere instructs no agent. */
function unusedManifest({ root }: AgentProject, { agentFile, workingDirectory }: SpawnRequest): Problem[] {
  const file = join(workingDirectory, 'agent.yaml');
  const isProject = root !== undefined || existsSync(join(workingDirectory, '.drivebay'));
  if (isProject || agentFile !== undefined || !existsSync(file)) return [];
  const hint = 'to use it: --agent agent.yaml; or make the folder a project: mkdir .drivebay';
  return [{ message: `${file} is not used, because its folder is not a project`, hint }];
}

/** The program of a provider may have tools that act before anybody can say no. */
function refuseToAct({ primary, fallback }: ResolvedModels): void {
  const bold = [primary, fallback].find((choice) => choice?.device.actsWithoutAsking)?.device;
  if (!bold) return;
  const options = bold.permissionOptions.join(', ');
  throw new AskFirstError(
    `the agent of provider "${bold.name}" can change files and run programs without asking`,
    options && `what it may do is set in providers.yaml: ${options}`,
  );
}

/** A warning when `allowed_tools` has less effect than it seems: a program has its own tools, or the driver has none. */
function uselessTools({ values, placeOf }: AgentManifest, { primary: { device } }: ResolvedModels): Problem[] {
  const isEmpty = values.allowed_tools?.length === 0;
  if (!values.allowed_tools || (device.driverKind !== 'cli' && (device.capabilities.tools || isEmpty))) return [];
  const reason =
    device.driverKind === 'cli' ? 'its program has tools of its own' : `driver "${device.driverAlias}" offers no tools`;
  const options = device.permissionOptions.join(', ');
  const { name } = device;
  return [
    {
      message: device.capabilities.toolServers
        ? `allowed_tools: limits only the devices and tool servers of provider "${name}": ${reason}`
        : `allowed_tools: has no effect on provider "${name}": ${reason}`,
      place: placeOf(['allowed_tools']),
      hint: options && `what they may do is set in providers.yaml: ${options}`,
    },
  ];
}
