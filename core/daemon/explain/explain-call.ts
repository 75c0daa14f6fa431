import { hintOf, messageOf } from '../../errors';
import type { ChatRequest, Workspace } from '../../contract/api';
import type { Rehearsal } from '../../providers/rehearsal';
import type { Redactor } from '../../contract/redact';
import type { LlmDevice } from '../../devices/device';
import { type CallPlan, describePlan, type Surroundings } from './call-plan';
import { type OptionOrigin, optionOrigins } from './option-origins';
import { payer } from '../project/payer';
import type { Project } from '../project/project';

export interface ExplainOptions {
  model?: string;
  effort?: string;
  /** What an agent process works in; absent: a chat of the gateway. */
  workspace?: Workspace;
}

/** What one call of a provider would do. */
export interface Explanation {
  provider: string;
  driver: string;
  kind: 'cli' | 'http';
  /** Null where the backend chooses. */
  model: string | null;
  plan: CallPlan | null;
  /** Why there would be no call, or none that can be told beforehand. */
  failure: { message: string; hint: string | null } | null;
  /** Fields of the request that would have no effect. */
  ignored: string[];
  pays: string | null;
  /** The variable with the key, and the file it is set in, or `process environment`; null where it is not set. */
  key: { name: string; from: string | null } | null;
  options: OptionOrigin[];
}

/** Goes through a call without making it. The project has to be opened with the rehearsal. */
export async function explainCall(
  device: LlmDevice,
  { project, rehearsal, redactor }: { project: Project; rehearsal: Rehearsal; redactor: Redactor },
  { model, effort, workspace }: ExplainOptions,
): Promise<Explanation> {
  const ignored = new Set<string>();
  const request: ChatRequest = {
    stream: true,
    messages: [{ role: 'user', parts: [{ type: 'text', text: rehearsal.message }] }],
    extra: {},
    ...(model && { model }),
    ...(effort && { reasoningEffort: effort }),
  };
  const caller = {
    id: 'explain',
    asker: { type: 'gateway' } as const,
    abort: new AbortController(),
    arrivedAt: Date.now(),
    ...(workspace && { workspace }),
  };
  const failure = await device
    .chat(request, caller, (event) => {
      if (event.type === 'meta') event.ignored?.forEach((field) => ignored.add(field));
      return undefined;
    })
    .then(
      () => ({ message: 'the driver answers by itself, or by means that are not of its context', hint: null }),
      (error: unknown) => ({ message: messageOf(error), hint: hintOf(error) ?? null }),
    );
  const entry = project.entries.find(({ name }) => name === device.name)!;
  const { planned, message } = rehearsal;
  const around: Surroundings = {
    environment: project.environment.process,
    message,
    redact: (text) => redactor.redact(text),
    keys: project.variables.flatMap((name) => {
      const value = project.environment.get(name)?.value;
      return value === undefined ? [] : [[name, value] as const];
    }),
  };
  return {
    provider: device.name,
    driver: device.driver,
    kind: device.driverKind,
    model: model || (device.defaultModel ?? null),
    plan: planned ? describePlan(planned, around) : null,
    failure: planned ? null : failure,
    ignored: [...ignored],
    pays: payer(device, device.driverKind === 'cli' ? await device.metadata() : null),
    key: keyOf(device, project),
    options: optionOrigins(entry, project.plugins.find(entry.driver)?.manifest),
  };
}

function keyOf({ keyVariable: name }: LlmDevice, { environment }: Project): Explanation['key'] {
  return name === undefined ? null : { name, from: environment.get(name)?.source ?? null };
}
