import type { TargetEntry } from '../config/routes';
import type { ChatRequest, EmbeddingRequest } from '../contract/api';
import type { EmbeddingResult } from '../providers/embedding-turn';
import type { Emit } from '../providers/emit';
import type { Lack } from '../providers/find-lack';
import type { Health } from '../providers/health';
import type { Used } from '../providers/caller';
import { llmSchema, toChatRequest } from '../providers/llm-tool';
import type { Rest } from '../providers/rests';
import { Users } from '../providers/users';
import { bestHealth, jointCapabilities } from './joint-facts';
import type { DeviceCall, DeviceCaller, LlmDevice } from './device';
import type { Candidate, Choice } from './routed-call';
import { RoutedChat } from './routed-chat';
import { RoutedEmbedding } from './routed-embedding';
import { RouteRun } from './route-run';
import { TurnOrder } from './route-order';

interface RouteTarget extends TargetEntry {
  device: LlmDevice;
}

/** One name for several providers: each request goes to the first of them that can answer. */
export class Route implements LlmDevice, Choice {
  readonly kind = 'llm';
  readonly path: string;
  readonly driver = 'route';
  readonly driverAlias = 'route';
  readonly driverKind = 'route';
  readonly listModels = false;
  readonly contextWindows: ReadonlyMap<string, number> = new Map();
  readonly load = undefined;
  readonly users = new Users();
  targets: readonly RouteTarget[] = [];
  route: { order: 'sequence' | 'spread'; targets: readonly TargetEntry[] };
  private mayRunPrograms: boolean | undefined;
  private readonly turns = new TurnOrder<RouteTarget>();

  constructor(
    readonly name: string,
    readonly order: 'sequence' | 'spread',
    readonly timeoutSec: number,
  ) {
    this.path = `/dev/llm/${name}`;
    this.route = { order, targets: [] };
  }

  /** Called once all devices exist, because a route may lead to a later one. It holds its targets as long as it is there. */
  lead(targets: readonly RouteTarget[]): void {
    for (const { device } of targets) device.users.enter();
    this.targets = targets;
    this.route = { order: this.order, targets: targets.map(({ device: _, ...facts }) => facts) };
  }

  /** It is no longer in the configuration: it lets its targets go after its last user. */
  async retire(): Promise<void> {
    await this.users.gone();
    for (const { device } of this.targets) device.users.leave();
  }

  get schema() {
    return llmSchema(this.name, undefined);
  }

  call(input: unknown, caller: DeviceCaller): Promise<string> {
    return caller.chat(this, toChatRequest(input));
  }

  chat(request: ChatRequest, caller: DeviceCall, emit: Emit): Promise<Used> {
    return new RouteRun(this, caller, request.model, new RoutedChat(request, caller, emit)).run();
  }

  embed(request: EmbeddingRequest, caller: DeviceCall): Promise<EmbeddingResult> {
    const targets = [...this.all(undefined)].filter(({ model }) => model !== undefined);
    const named = new Set(targets.map(({ device }) => device));
    const call = new RoutedEmbedding(request, caller, named, [...this.all(request.model)]);
    return new RouteRun(this, caller, request.model, call).run();
  }

  /** As the first target counts that does not rest. */
  async countTokens(request: ChatRequest, gone: AbortSignal): Promise<number | undefined> {
    const [first, ...others] = [...this.all(request.model)];
    const awake = [first!, ...others].find(({ device, model }) => !device.restOf(model)) ?? first!;
    return awake.device.countTokens?.({ ...request, model: awake.model }, gone);
  }

  *candidates(model: string | undefined): Generator<Candidate, void> {
    const isSpread = this.order === 'spread';
    for (const { device, model: own = model } of isSpread ? this.turns.next(this.awake(model)) : this.targets) {
      if (device instanceof Route) yield* device.candidates(own);
      else yield { device, model: own };
    }
    if (isSpread) yield* this.all(model);
  }

  *all(model: string | undefined): Generator<Candidate, void> {
    for (const { device, model: own = model } of this.targets) {
      if (device instanceof Route) yield* device.all(own);
      else yield { device, model: own };
    }
  }

  /** The providers behind it, each once. */
  get providers(): LlmDevice[] {
    return [...new Set([...this.all(undefined)].map(({ device }) => device))];
  }

  get runsPrograms(): boolean {
    return (this.mayRunPrograms ??= this.providers.some((device) => device.runsPrograms));
  }

  get needsModel(): boolean {
    return [...this.all(undefined)].every(({ device, model }) => model === undefined && device.needsModel);
  }

  get capabilities() {
    return jointCapabilities(this.providers);
  }

  /** Of the first target that has one: all vectors of a route are of one model. */
  get embeddingModel(): string | undefined {
    return this.providers.find(({ embeddingModel }) => embeddingModel !== undefined)?.embeddingModel;
  }

  get permissionOptions(): string[] {
    return [...new Set(this.providers.flatMap(({ permissionOptions }) => permissionOptions))];
  }

  get actsWithoutAsking(): boolean {
    return this.providers.some(({ actsWithoutAsking }) => actsWithoutAsking);
  }

  /** Its targets tell of theirs. */
  readonly kept = [];
  readonly programs = { count: 0 };

  get rests(): Rest[] {
    const rest = this.restOf(undefined);
    return rest ? [rest] : [];
  }

  /** A route rests while all of its targets do: until the first of them is back. */
  restOf(model: string | undefined): Rest | undefined {
    let first: Rest | undefined;
    for (const target of this.all(model)) {
      const rest = target.device.restOf(target.model);
      if (!rest) return undefined;
      if (!first || rest.until < first.until) first = rest;
    }
    return first;
  }

  wake(): number {
    return this.providers.reduce((sum, device) => sum + device.wake(), 0);
  }

  /** It lacks what the first of its targets lacks, when no target can serve the request. */
  lackFor(request: ChatRequest, model: string | undefined): Lack | undefined {
    let first: Lack | undefined;
    for (const target of this.all(model)) {
      const lack = target.device.lackFor(request, target.model);
      if (!lack) return undefined;
      first ??= lack;
    }
    return first;
  }

  get health(): Health {
    return bestHealth(this.providers);
  }

  async refresh(): Promise<Health> {
    await Promise.all(this.providers.map((device) => device.refresh()));
    return this.health;
  }

  async check(): Promise<Health> {
    await Promise.all(this.providers.map((device) => device.check()));
    return this.health;
  }

  async ended(signal: AbortSignal): Promise<void> {
    await Promise.all(this.providers.map((device) => device.ended(signal)));
  }

  readonly metadata = () => Promise.resolve({});
  readonly diagnose = () => Promise.resolve([]);
  readonly models = () => Promise.resolve(undefined);

  private awake(model: string | undefined): RouteTarget[] {
    return this.targets.filter(({ device, model: own = model }) => !device.restOf(own));
  }
}
