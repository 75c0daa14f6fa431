import { json, type Answer, type RecordedRequest } from '../../../../setup/upstream';

/** The vector of a text or of token numbers: its length comes first, so that the order of vectors can be seen. */
export function vectorOf(input: string | number[], dimensions = 4): number[] {
  const first = typeof input === 'string' ? input.length : input.reduce((sum, token) => sum + token, 0);
  return Array.from({ length: dimensions }, (_, index) => (index === 0 ? first : index / 8));
}

const bytesOf = (vector: number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');

const list = (data: object[], model: string, tokens: number): Answer =>
  json({ object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });

/** The vendor gives base64 where it is asked for, and honours dimensions. */
export function openaiAnswer({ body }: RecordedRequest): Answer {
  const inputs = body.input as (string | number[])[];
  const entries = inputs.map((input, index) => {
    const vector = vectorOf(input, body.dimensions as number | undefined);
    return { object: 'embedding', index, embedding: body.encoding_format === 'base64' ? bytesOf(vector) : vector };
  });
  return list(entries, `${body.model}-2026`, inputs.length * 2);
}

/** A local server gives numbers whatever it is asked for, knows no dimensions, and answers in an order of its own. */
export function ollamaAnswer({ body }: RecordedRequest): Answer {
  const inputs = body.input as (string | number[])[];
  const entries = inputs.map((input, index) => ({ object: 'embedding', index, embedding: vectorOf(input) }));
  return list(entries.reverse(), body.model as string, inputs.length);
}

interface NativeRequest {
  content: { parts: { text: string }[] };
  outputDimensionality?: number;
}

export function geminiAnswer({ body }: RecordedRequest): Answer {
  const requests = body.requests as NativeRequest[];
  if (requests.length > 100) return json({ error: { code: 400, message: 'at most 100 requests' } }, { status: 400 });
  const embeddings = requests.map(({ content, outputDimensionality }) => ({
    values: vectorOf(content.parts.map(({ text }) => text).join(''), outputDimensionality),
  }));
  return json({ embeddings });
}
