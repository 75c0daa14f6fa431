import { showAddresses } from '../../config/addresses';
import type { ProviderEntry } from '../../config/load';
import { valueOf } from '../../config/located';
import { commonSchema } from '../../config/schema';
import { CallEnd } from '../../contract/call-end';
import { formatPosition, hintOf, messageOf } from '../../errors';
import type { Manifest } from '../../plugins/manifest';
import type { ChatRequest, Workspace } from '../../contract/api';
import type { Rehearsal } from '../../providers/rehearsal';
import type { DeviceKind } from '../../record/process-event';
import type { Redactor } from '../../contract/redact';
import type { LlmDevice } from '../../devices/device';
import { Route } from '../../devices/route';
import type { Candidate } from '../../devices/routed-call';
import { type CallPlan, describePlan } from './call-plan';
import { payer } from '../../devices/describe-device';
import type { Project } from '../project/project';

/** Stands for the message of a client. */
const MESSAGE = '<the message>';

/** What one call of a provider would do, as `providers explain --json` shows it. */
export interface CallExplanation {
  /** Of a route: its name, and who it asks, in their order without rests. `until`: the end of a rest, in ms since the epoch. */
  route: { name: string; targets: { provider: string; model: string | null; until: number | null }[] } | null;
  provider: string;
  driver: string;
  driverAlias: string;
  kind: DeviceKind;
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
  /** `from`: `file:line:column`, or `default`. */
  options: { name: string; value: unknown; from: string }[];
}

/**
 * Prepares a call without making it: of an agent process with a workspace, else of a chat at the gateway. The project
 * must be open with the same rehearsal. Of a route, the call of the first target that does not rest is explained.
 */
export async function explainCall(
  asked: LlmDevice,
  { project, rehearsal, redactor }: { project: Project; rehearsal: Rehearsal; redactor: Redactor },
  { model: wanted, effort, workspace }: { model?: string; effort?: string; workspace?: Workspace },
): Promise<CallExplanation> {
  const targets = asked instanceof Route ? [...asked.all(wanted || undefined)] : [];
  const { device, model } = targets.find(isAwake) ?? targets[0] ?? { device: asked, model: wanted };
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
    abort: new CallEnd(),
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
  const { environment, variables } = project;
  const { keyVariable } = device;
  // The redactor ignores very short keys. Here all keys are known, so even those are hidden.
  const present = (text: string) => {
    const withoutKeys = variables.reduce((rest, name) => {
      const key = environment.get(name)?.value;
      return key === undefined ? rest : rest.replaceAll(key, `<${name}>`);
    }, text);
    return redactor.redact(withoutKeys).replaceAll(message, MESSAGE);
  };
  return {
    route: targets.length === 0 ? null : { name: asked.name, targets: targets.map(describeTarget) },
    provider: device.name,
    driver: device.driver,
    driverAlias: device.driverAlias,
    kind: device.driverKind,
    model: model || (device.defaultModel ?? null),
    plan: planned ? describePlan(planned, environment.process, present) : null,
    failure: planned ? null : failure,
    ignored: [...ignored],
    pays: payer(device, device.driverKind === 'cli' ? await device.metadata() : undefined),
    key: keyVariable === undefined ? null : { name: keyVariable, from: environment.get(keyVariable)?.source ?? null },
    options: withoutKeys(optionOrigins(entry, project.plugins.find(entry.driver)?.manifest), redactor),
  };
}

/** Addresses are shown without their queries, also where a value in one is too short to be redacted. */
function withoutKeys<Data>(data: Data, redactor: Redactor): Data {
  const shown = JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? showAddresses(value) : value));
  return redactor.redactData(JSON.parse(shown) as Data);
}

const isAwake = ({ device, model }: Candidate): boolean => device.restOf(model) === undefined;

function describeTarget({ device, model }: Candidate) {
  return { provider: device.name, model: model ?? null, until: device.restOf(model)?.until ?? null };
}

/** Every option of a provider that has a value, and where the value is from. */
function optionOrigins({ fields }: ProviderEntry, manifest: Manifest | undefined): CallExplanation['options'] {
  const common = Object.entries(commonSchema.shape).map(
    ([name, schema]) => [name, schema.safeParse(undefined).data] as const,
  );
  const own = Object.entries(manifest?.options ?? {}).map(([name, schema]) => [name, schema.default] as const);
  return [...common, ...own].flatMap(([name, standard]) => {
    const set = fields.entries.get(name);
    if (set) return [{ name, value: valueOf(set), from: formatPosition(set.place) }];
    return standard === undefined ? [] : [{ name, value: standard, from: 'default' }];
  });
}
