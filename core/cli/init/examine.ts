import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../config/environment';
import { openProject, type Project } from '../../daemon/project/project';
import { chooseModel } from './choose-model';
import { providersText } from './providers-text';
import type { Sighting } from './sighting';
import { createLogger } from '../../log/logger';
import { Redactor } from '../../contract/redact';
import type { LlmDevice } from '../../devices/device';
import { workingDirectory } from '../working-directory';

/** A backend that was found, after it was asked. */
export interface Examined {
  sighting: Sighting;
  /** `absent`: something else was found under its name. */
  state: 'answers' | 'silent' | 'absent';
  /** What it says of itself, or why it does not answer. */
  detail: string;
  /** What makes it answer. */
  fix?: string;
  /** Whether the program has said that it is logged in. */
  isLoggedIn?: boolean;
}

/** Makes providers of what was found, as the configuration will, and asks each of them. Spends no tokens. */
export async function examine(sightings: readonly Sighting[], environment: Environment): Promise<Examined[]> {
  const folder = await mkdtemp(join(tmpdir(), 'drivebay-init-'));
  let project: Project | undefined;
  try {
    const file = join(folder, 'providers.yaml');
    await writeFile(file, providersText({ providers: sightings.map((sighting) => ({ sighting })) }));
    const redactor = new Redactor();
    project = await openProject({
      ...{ file, redactor, useProject: false, workingDirectory: workingDirectory() },
      environment: withKeys(sightings, environment),
      log: createLogger({ level: 'silent', format: 'text', redactor }),
    });
    const devices = new Map(project.devices.llms().map((device) => [device.name, device]));
    return await Promise.all(sightings.map((sighting) => ask(sighting, devices.get(sighting.provider.name)!)));
  } finally {
    await project?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The keys of the project's files reach the providers as they will when the project is there. */
function withKeys(sightings: readonly Sighting[], environment: Environment): NodeJS.ProcessEnv {
  const names = sightings.flatMap(({ provider }) =>
    typeof provider.api_key_env === 'string' ? provider.api_key_env : [],
  );
  return { ...environment.process, ...Object.fromEntries(names.map((name) => [name, environment.get(name)?.value])) };
}

async function ask(sighting: Sighting, device: LlmDevice): Promise<Examined> {
  const { state, detail = '', reason = '', hint, kind } = await device.check();
  if (state !== 'healthy') {
    const isOther = kind === 'binary_missing';
    const guess = withModel(sighting, undefined);
    return {
      sighting: guess,
      state: isOther ? 'absent' : 'silent',
      detail: reason,
      ...(hint !== undefined && { fix: hint }),
    };
  }
  if (sighting.lacks !== undefined) return { sighting, state: 'silent', detail: sighting.lacks };
  if (sighting.sort !== 'program') {
    return { sighting: withModel(sighting, await device.models()), state: 'answers', detail };
  }
  const findings = await device.diagnose();
  const login = findings.find(({ topic }) => topic === 'login');
  const fault = findings.find(({ severity }) => severity === 'broken') ?? login;
  if (fault?.severity === 'broken' || fault?.severity === 'warning') {
    const { message, fix } = fault;
    return { sighting, state: 'silent', detail: message, ...(fix !== undefined && { fix }) };
  }
  return {
    ...{ sighting, state: 'answers', detail: login?.message ?? 'whether it is logged in is not known' },
    isLoggedIn: login?.severity === 'ok',
  };
}

function withModel(sighting: Sighting, offered: readonly string[] | undefined): Sighting {
  const { provider, preferredModels = [] } = sighting;
  if (provider.default_model !== undefined) return sighting;
  const model = chooseModel(preferredModels, offered);
  return model === undefined ? sighting : { ...sighting, provider: { ...provider, default_model: model } };
}
