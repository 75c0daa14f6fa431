import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbeddingRequest } from '../../../../contract/api';
import type { Used } from '../../../../providers/caller';
import type { EmbeddingResult } from '../../../../providers/embedding-turn';
import { sendLongText } from '../../../../serving/send';
import type { CallContext, DialectCall } from '../../../dialect';
import { noteOverhead, withIgnored } from '../../../answer-headers';
import { type FurtherModel, takeFurtherModels } from '../../../further-models';

/** A vector takes up to a millisecond: other requests are served in between. */
const VECTORS_PER_TURN = 16;

/** Asks for vectors, and sends them in the format that the client wants, whatever the backend gave. */
export class EmbeddingCall implements DialectCall {
  readonly isStream = false;
  private leftOut: string[] = [];

  constructor(
    readonly model: string,
    private readonly request: EmbeddingRequest,
    private readonly isBase64: boolean,
  ) {}

  keepToModel(): FurtherModel[] {
    this.leftOut = takeFurtherModels(this.request.extra);
    return [];
  }

  async run({ device, model, caller, running, response, headers, own }: CallContext): Promise<Used> {
    if (model !== undefined) this.request.model = model;
    const result = await device.embed(this.request, caller);
    const ignored = [...this.leftOut, ...result.ignored];
    const text = await this.toJson(result);
    noteOverhead(headers, own);
    own.pause();
    const shown = ignored.length > 0 ? withIgnored(headers, ignored) : headers;
    await sendLongText(response, 200, text, shown, running.length === 1);
    return result;
  }

  /** Without an answer there is nothing to end. */
  fail(): void {}

  private async toJson({ vectors, usage }: EmbeddingResult): Promise<string> {
    const entries: string[] = [];
    for (const [index, vector] of vectors.entries()) {
      if (index > 0 && index % VECTORS_PER_TURN === 0) await nextTurn();
      const spelled = this.isBase64 ? `"${toBase64(vector)}"` : JSON.stringify(vector);
      entries.push(`{"object":"embedding","index":${index},"embedding":${spelled}}`);
    }
    const { inputTokens: tokens = 0, costUsd: cost } = usage ?? {};
    const counts = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens, cost });
    return `{"object":"list","data":[${entries.join(',')}],"model":${JSON.stringify(this.model)},"usage":${counts}}`;
  }
}

/** Little-endian numbers of 32 bits each, on every machine. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  // Twice as fast as the methods of Buffer.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let index = 0; index < vector.length; index += 1) view.setFloat32(index * 4, vector[index]!, true);
  return bytes.toString('base64');
}
