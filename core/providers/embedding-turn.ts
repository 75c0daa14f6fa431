import type { Call, Driver, EmbeddingAnswer, EmbeddingRequest, Usage } from '../contract/api';
import { endingOf } from '../contract/call-end';
import { DriverError } from '../contract/driver-error';
import type { Estimate } from '../limits/limits';
import { inputAtMost } from '../prices/weigh-request';
import type { CallReader } from './call';
import type { Used } from './caller';
import { checkEmbedding } from './check-embedding';
import type { ProviderSettings } from './settings';

export interface EmbeddingResult extends Used {
  /** One for each entry of the input, in its order, all of one length. */
  vectors: number[][];
  /** Names of fields of the request that had no effect. */
  ignored: string[];
}

/** The call that turns texts into vectors. Its answer comes in one piece. */
export class EmbeddingTurn implements CallReader<EmbeddingResult> {
  readonly complete: Promise<EmbeddingResult>;
  readonly operation = 'embeddings';
  readonly isStream = false;
  isSilent = true;
  private resolve!: (result: EmbeddingResult) => void;
  private reject!: (error: Error) => void;
  private usage: Usage | undefined;
  private usedModel: string | undefined;

  constructor(
    private readonly settings: ProviderSettings,
    private request: EmbeddingRequest,
  ) {
    this.complete = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get model(): string | undefined {
    return this.request.model;
  }

  prepare(): void {
    const { name, embeddingModel, driverKind } = this.settings;
    const { model = embeddingModel } = this.request;
    // A program has a model of its own; a server needs the name of one.
    if (model === undefined && driverKind !== 'cli') {
      const message = `provider "${name}" has no embedding_model: use "${name}:<model>", or set embedding_model`;
      throw new DriverError('invalid_request', message, { param: 'model' });
    }
    this.request = { ...this.request, model };
  }

  estimate(): Estimate {
    return this.settings.prices.estimate([this.model], inputAtMost(this.request), 0);
  }

  async run(driver: Driver, call: Call): Promise<void> {
    const end = endingOf(call);
    // The driver may not listen, and the client must not wait for it.
    end.addEventListener('abort', () => this.reject(end.reason!));
    try {
      end.throwIfAborted();
      if (!driver.embed) throw new TypeError('its manifest declares embeddings, and it has no embed()');
      this.take(await driver.embed(this.request, call));
    } catch (error) {
      this.reject(error as Error);
    }
  }

  used(): Used {
    const { usage, usedModel: model } = this;
    return { usage, model, ...this.settings.prices.costOf(usage, [model, this.model]) };
  }

  private take(answer: EmbeddingAnswer): void {
    const { input, dimensions, model } = this.request;
    checkEmbedding(answer, input.length);
    const { vectors, inputTokens, costUsd, ignored = [] } = answer;
    this.isSilent = false;
    this.usedModel = answer.model;
    if (inputTokens !== undefined) this.usage = { type: 'usage', inputTokens, outputTokens: 0, costUsd };
    const { length } = vectors[0]!;
    // A backend that does not know the field gives its own length, and a store of vectors would break.
    if (dimensions !== undefined && length !== dimensions) {
      const message = `model "${model}" answered with vectors of ${length} numbers: it does not take dimensions`;
      throw new DriverError('invalid_request', message, { param: 'dimensions' });
    }
    this.resolve({ ...this.used(), vectors, ignored });
  }
}
