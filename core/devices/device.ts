import type { TargetEntry } from '../config/routes';
import type { ChatRequest, Diagnosis, EmbeddingRequest, OfferedModel } from '../contract/api';
import type { KeptFacts } from '../plugins/kept-table';
import type { Capabilities } from '../plugins/manifest';
import type { Limits } from '../limits/limits';
import type { Caller, Used } from '../providers/caller';
import type { EmbeddingResult } from '../providers/embedding-turn';
import type { Emit } from '../providers/emit';
import type { Lack } from '../providers/find-lack';
import type { Health } from '../providers/health';
import type { Rest } from '../providers/rests';
import type { ShownSettings } from '../providers/settings';
import type { Users } from '../providers/users';
import type { DeviceKind } from '../record/process-event';

/** Something that agents can use. */
export interface Device {
  /** `/dev/<kind>/<name>`. */
  readonly path: string;
  readonly kind: string;
  readonly name: string;
}

/** A device that is one function: what it is, what it takes, and what it does. */
export interface FunctionDevice extends Device {
  readonly schema: DeviceSchema;
  /** Resolves with the text for the model. Rejects wrong arguments with a message for the model. */
  call(input: unknown, caller: DeviceCaller): Promise<string>;
}

export interface DeviceSchema {
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
}

/** On whose behalf a device works. */
export interface DeviceCaller {
  /** Asks the model behind a device, within the limits of the caller, and resolves with its answer. */
  chat(device: LlmDevice, request: ChatRequest): Promise<string>;
}

/** A target that did not answer a request, and why. `kind` is that of the errors of the gateway, or the code of a full queue. */
export interface Attempt {
  provider: string;
  kind: string;
  message: string;
}

/** A call to a device that may stand for several providers. */
export interface DeviceCall extends Caller {
  /** The provider that answered the conversation last: a route asks it first. */
  previous?: LlmDevice;
  /** Called before a route asks a target for a model, with the targets that did not answer before. */
  onTarget?(target: LlmDevice, model: string | undefined, before: readonly Attempt[]): void;
}

/** A device that answers chats, such as a provider or a route. The rest of the program knows only this of it. */
export interface LlmDevice extends FunctionDevice, Readonly<ShownSettings> {
  readonly kind: 'llm';
  readonly driverKind: DeviceKind;
  /** Whether a call may run an agent CLI. */
  readonly runsPrograms: boolean;
  /** Whether a request has to name a model. */
  readonly needsModel: boolean;
  readonly capabilities: Pick<
    Capabilities,
    'tools' | 'images' | 'audio' | 'files' | 'embeddings' | 'skillFolders' | 'toolServers'
  >;
  /** What the driver keeps beyond its calls: programs, and conversations in them. */
  readonly kept: readonly KeptFacts[];
  /** The child processes of its driver that have not ended. */
  readonly programs: { readonly count: number };
  /** How many calls run and wait, and how many may run; undefined where there is no limit. */
  readonly load: { running: number; waiting: number; limit: number } | undefined;
  readonly health: Health;
  /** The active rests. */
  readonly rests: readonly Rest[];
  /** Its own limits; undefined where it has none. */
  readonly limits?: Limits;
  /** Of a route: who may answer, and how they take turns. */
  readonly route?: { readonly order: 'sequence' | 'spread'; readonly targets: readonly TargetEntry[] };
  /** Each use that awaits enters. A device that a reload took out of the configuration ends when all have left. */
  readonly users: Pick<Users, 'enter' | 'leave'>;
  /** The rest that a call with this model falls into. */
  restOf(model: string | undefined): Rest | undefined;
  /** Ends every rest, and returns how many there were. */
  wake(): number;
  /** What a request with this model needs and the device cannot do. */
  lackFor(request: ChatRequest, model: string | undefined): Lack | undefined;
  /** The health after a new check, where one is due. Never rejects. */
  refresh(): Promise<Health>;
  /** Asks the backend now. Never rejects. */
  check(): Promise<Health>;
  chat(request: ChatRequest, caller: DeviceCall, emit: Emit): Promise<Used>;
  /** Turns texts into vectors. Only for a device with the capability `embeddings`. */
  embed(request: EmbeddingRequest, caller: DeviceCall): Promise<EmbeddingResult>;
  /**
   * The input tokens of a chat as the backend counts them; undefined where it cannot, and once `gone` fires. Starts
   * nothing, never rejects.
   */
  countTokens?(request: ChatRequest, gone: AbortSignal): Promise<number | undefined>;
  /** Resolves when nothing is left of the programs of a turn whose caller has this signal. */
  ended(signal: AbortSignal): Promise<void>;
  /** What the driver says about itself. Never rejects. */
  metadata(): Promise<Record<string, string>>;
  /** What `drivebay doctor` shows of it, as far as it is known within the limit (default 15 s). Never rejects. */
  diagnose(limitMs?: number): Promise<Diagnosis[]>;
  /** The models that the backend offers; undefined where it does not say. Rejects with a DriverError. */
  models(): Promise<OfferedModel[] | undefined>;
}

export function isLlm(device: Device): device is LlmDevice {
  return device.kind === 'llm';
}
