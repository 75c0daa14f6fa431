import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Carriers } from '../../core/gateway/carriers';
import type { CallForm, Dialect } from '../../core/gateway/dialect';
import { dialects } from '../../core/gateway/dialects/dialects';
import { toHttpError } from '../../core/gateway/to-http-error';
import { expectNoStack } from './hold';
import { mutated } from './mutated';
import { requestSamples } from './request-samples';

const carriers = new Carriers(() => key);
const key = randomBytes(32);

/** The body of a request to a path: nearly a good one, and now and then cut, or with a byte too many. */
export function bodies(path: string): fc.Arbitrary<Buffer> {
  const damage = fc.option(fc.record({ at: fc.nat(), byte: fc.option(fc.integer({ min: 0, max: 255 })) }), {
    freq: 10,
  });
  return fc.tuple(mutated(requestSamples[path]!), damage).map(([value, harm]) => {
    const body = Buffer.from(JSON.stringify(value));
    if (!harm) return body;
    const at = harm.at % (body.length + 1);
    if (harm.byte === null) return body.subarray(0, at);
    return Buffer.concat([body.subarray(0, at), Buffer.from([harm.byte]), body.subarray(at)]);
  });
}

export function formAt(path: string): { dialect: Dialect; form: CallForm } {
  for (const dialect of dialects) {
    const form = dialect.calls.find(({ paths }) => paths.includes(path));
    if (form) return { dialect, form };
  }
  throw new Error(`no dialect has ${path}`);
}

/** That a dialect takes a body, or says in its own form what is wrong with it. */
export function checkBody({ dialect, form }: ReturnType<typeof formAt>, body: Buffer): void {
  let failure: unknown;
  try {
    form.parse(body, {}, carriers, undefined);
    return;
  } catch (error) {
    failure = error;
  }
  const error = toHttpError(failure);
  if (error.status >= 500) throw failure;
  const spelled = dialect.spellError(error);
  checkErrorForm(dialect.name, spelled.status, JSON.parse(JSON.stringify(spelled.body)));
}

/** That an answer is an error as the clients of a wire know it, and nothing of the program shows in it. */
export function checkErrorForm(dialect: string, status: number, body: unknown): void {
  const { type: outer, error } = body as { type?: unknown; error: Record<string, unknown> };
  const isTyped = typeof error.type === 'string' && typeof error.message === 'string' && error.message !== '';
  const isOfWire = dialect === 'messages' ? outer === 'error' : 'param' in error && typeof error.code === 'string';
  if (!isTyped || !isOfWire || status < 400) throw new Error(`no error of ${dialect}: ${JSON.stringify(body)}`);
  expectNoStack(String(error.message));
}
