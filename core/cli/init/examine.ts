import { documentOf } from '../../config/document';
import type { Environment } from '../../config/environment';
import { describeModels } from '../../devices/describe-models';
import type { LlmDevice } from '../../devices/device';
import { rememberModels } from '../../devices/known-models';
import { withProjectHere } from '../open-project';
import { preferredModel } from './preferences';
import { providersText } from './providers-text';
import type { Examined, Sighting } from './sighting';

/** Makes providers of the sightings, as the configuration will, and asks each of them. Spends no tokens. */
export async function examine(sightings: readonly Sighting[], environment: Environment): Promise<Examined[]> {
  const file = 'providers.yaml';
  const text = providersText({ providers: sightings.map((sighting) => ({ sighting })) });
  const source = { file, document: documentOf(file, text) };
  const keys = withKeys(sightings, environment);
  const given = { source, useProject: false, environment: keys, isQuiet: true };
  return withProjectHere(given, ({ project: { devices, paths } }) =>
    Promise.all(sightings.map((sighting) => ask(sighting, devices.need(sighting.provider.name), paths.cache))),
  );
}

/** Adds the keys of the project's .env files, which the providers will have once the project's file exists. */
function withKeys(sightings: readonly Sighting[], environment: Environment): NodeJS.ProcessEnv {
  const names = sightings.map(({ provider }) => provider.api_key_env).filter((name) => typeof name === 'string');
  return { ...environment.process, ...Object.fromEntries(names.map((name) => [name, environment.get(name)?.value])) };
}

async function ask(sighting: Sighting, device: LlmDevice, cache: string): Promise<Examined> {
  const { state, detail = '', warnings = [], reason = '', hint: fix, kind } = await device.check();
  if (state !== 'healthy') {
    const answer = kind === 'binary_missing' ? 'absent' : 'silent';
    return { sighting: withModel(sighting, undefined), state: answer, detail: reason, fix };
  }
  if (sighting.lacks !== undefined) return { sighting, state: 'silent', detail: sighting.lacks };
  if (sighting.sort !== 'program') {
    const report = await describeModels(device);
    await rememberModels(cache, [report]);
    // Some servers list their models for programs of their own only, and take no chats.
    const doubt = sighting.sort === 'server' && !report.listed ? (warnings[0] ?? detail) : '';
    if (doubt !== '') {
      return {
        sighting,
        state: 'silent',
        detail: doubt,
        fix: `to ask it a question: drivebay doctor ${device.name} --probe`,
      };
    }
    const offered = report.listed ? report.models.map(({ name }) => name) : undefined;
    return { sighting: withModel(sighting, offered), state: 'answers', detail };
  }
  const findings = await device.diagnose();
  const login = findings.find(({ topic }) => topic === 'login');
  const fault = findings.find(({ severity }) => severity === 'broken') ?? login;
  if (fault?.severity === 'broken' || fault?.severity === 'warning') {
    return { sighting, state: 'silent', detail: fault.message, fix: fault.fix };
  }
  const said = login?.message ?? 'whether it is logged in is not known';
  return { sighting, state: 'answers', detail: said, isLoggedIn: login?.severity === 'ok' };
}

function withModel(sighting: Sighting, offered: readonly string[] | undefined): Sighting {
  const { provider, preferredModels = [] } = sighting;
  if (provider.default_model !== undefined) return sighting;
  const model = preferredModel(preferredModels, offered);
  return model === undefined ? sighting : { ...sighting, provider: { ...provider, default_model: model } };
}
