import { hintOf, messageOf } from '../../errors';
import type { ChatRequest, Workspace } from '../../contract/api';
import type { Rehearsal } from '../../providers/rehearsal';
import type { Redactor } from '../../contract/redact';
import type { LlmDevice } from '../../devices/device';
import { type CallPlan, describePlan, type PlanContext } from './call-plan';
import { type OptionOrigin, optionOrigins } from './option-origins';
import { payer } from '../project/describe-provider';
import type { Project } from '../project/project';

export interface ExplainOptions {
  model?: string;
  effort?: string;
  /** The workspace of an agent process; absent: a chat of the gateway. */
  workspace?: Workspace;
}

/** What one call of a provider would do, as `providers explain --json` shows it. */
export interface Explanation {
  provider: string;
  driver: string;
  kind: 'cli' | 'http';
  /** Null where the backend chooses. */
  model: string | null;
  plan: CallPlan | null;
  /** Why there would be no call, or none that can be described beforehand. */
  failure: { message: string; hint: string | null } | null;
  /** Fields of the request that would have no effect. */
  ignored: string[];
  pays: string | null;
  /** The variable with the key. `from`: the file that sets it, or `process environment`; null where it is not set. */
  key: { name: string; from: string | null } | null;
  options: OptionOrigin[];
}

/** Prepares a call without making it. The project must be open with the same rehearsal. */
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
    model: model || undefined,
    reasoningEffort: effort || undefined,
  };
  const caller = {
    id: 'explain',
    asker: { type: 'gateway' } as const,
    abort: new AbortController(),
    arrivedAt: Date.now(),
    workspace,
  };
  const failure = await device
    .chat(request, caller, (event) => {
      if (event.type === 'meta') event.ignored?.forEach((field) => ignored.add(field));
      return undefined;
    })
    .then(
      () => ({ message: 'the driver answers without a call through its context', hint: null }),
      (error: unknown) => ({ message: messageOf(error), hint: hintOf(error) ?? null }),
    );
  const entry = project.entries.find(({ name }) => name === device.name)!;
  const { planned, message } = rehearsal;
  const context: PlanContext = {
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
    plan: planned ? describePlan(planned, context) : null,
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
