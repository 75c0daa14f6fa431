import assert from 'node:assert';
import type { EmbeddingRequest } from '../../../contract/api';
import { isDriverError } from '../../../contract/driver-error';
import type { ScriptedVectors } from '../../fakes/backend';
import { callerOf, MODEL } from '../../fakes/requests';
import { cancelWork } from '../cancel-work';
import { defineCases, type Need, rule } from '../case-definition';
import type { Stage } from '../stage';
import { unlessRefused } from '../unless-refused';
import { ConformanceError, within } from '../within';
import { FAILURES } from './failure-cases';

const TEXTS = ['kit-text-one', 'kit-text-two', 'kit-text-three'];
/** Numbers that 32 bits hold exactly. */
const SCRIPTED: ScriptedVectors = {
  vectors: [
    [0.5, -1, 0.25],
    [2, 0, -0.125],
    [1, 1.5, 3],
  ],
  inputTokens: 11,
};
/** Numbers that no other part of a request holds. */
const DIMENSIONS = 1_048_573;
const TOKENS = [[1_048_571, 1_048_569], [1_048_563], [1_048_559]];

const EXTRA = 'kit-value-of-a-client';

const NEEDS: readonly Need[] = ['capability:embeddings', 'embeddings'];

export const embeddingCases = defineCases('embeddings', {
  vectors: rule('each text gets its vector, whole and in the order of the texts', NEEDS, async (stage) => {
    const { vectors, inputTokens } = await embed(stage);
    assert.deepEqual(vectors, SCRIPTED.vectors);
    if (inputTokens !== undefined) assert.equal(inputTokens, SCRIPTED.inputTokens, 'inputTokens');
  }),
  request: rule('the texts and the model of the request reach the backend', [...NEEDS, 'received'], async (stage) => {
    await embed(stage, { model: 'vendor-model@2' });
    const { model, texts } = stage.lastReceived();
    assert.equal(model, 'vendor-model@2', 'the model of `received`');
    assert.deepEqual(texts, TEXTS, 'the texts of `received`');
  }),
  'default-model': rule(
    "without a model in the request the provider's embedding_model reaches the backend",
    [...NEEDS, 'received', 'option:embedding_model'],
    async (stage) => {
      await stage.script({ type: 'vectors', ...SCRIPTED });
      const provider = stage.provider({ embedding_model: 'kit-embedding-model' });
      const turn = provider.embed({ input: TEXTS, extra: {} }, callerOf('kit-embedding'));
      await within(turn, 'the answer did not end');
      assert.equal(stage.lastReceived().model, 'kit-embedding-model', 'the model of `received`');
    },
  ),
  dimensions: rule(
    'dimensions reach the backend, or are refused with invalid_request',
    [...NEEDS, 'received'],
    (stage) => arrivesOrIsRefused(stage, { dimensions: DIMENSIONS }, String(DIMENSIONS)),
  ),
  tokens: rule(
    'token numbers reach the backend, or are refused with invalid_request',
    [...NEEDS, 'received'],
    (stage) => arrivesOrIsRefused(stage, { input: TOKENS }, String(TOKENS[2])),
  ),
  extra: rule(
    'fields that Drivebay does not know reach the backend, or the answer names them as ignored',
    [...NEEDS, 'received'],
    async (stage) => {
      const { ignored = [] } = await embed(stage, { extra: { kit_field: EXTRA } });
      const isKnown = ignored.includes('kit_field') || stage.lastReceived().raw.includes(EXTRA);
      assert.ok(isKnown, 'kit_field did not arrive, and `ignored` of the answer does not name it');
    },
  ),
  failure: rule(
    'a failure of the backend has the same code as for a chat',
    [...NEEDS, 'auth', 'upstream'],
    async (stage) => {
      for (const fault of ['auth', 'upstream'] as const) {
        await stage.scriptChats(FAILURES[fault]);
        const error: unknown = await start(stage).catch((reason: unknown) => reason);
        if (!isDriverError(error)) throw new ConformanceError(`it does not throw context.error(...): ${String(error)}`);
        assert.equal(error.code, fault, `the code of the failure: ${error.message}`);
      }
    },
  ),
  canceled: rule(
    'a canceled request for embeddings ends within 1 s, and leaves no connection and no process',
    [...NEEDS, 'hang'],
    async (stage) => {
      await stage.scriptChats({ type: 'hang' });
      await cancelWork(stage, 'embed', (signal) => start(stage, {}, signal));
    },
  ),
});

/** Asks the driver itself, past the provider. */
async function start(stage: Stage, request: Partial<EmbeddingRequest> = {}, signal?: AbortSignal) {
  const driver = await stage.driver();
  if (!driver.embed) throw new ConformanceError('the manifest declares embeddings, and the driver has no embed()');
  return driver.embed({ model: MODEL, input: TEXTS, extra: {}, ...request }, stage.call(signal));
}

async function embed(stage: Stage, request: Partial<EmbeddingRequest> = {}) {
  await stage.script({ type: 'vectors', ...SCRIPTED });
  return within(start(stage, request), 'embed did not end');
}

async function arrivesOrIsRefused(stage: Stage, request: Partial<EmbeddingRequest>, words: string): Promise<void> {
  const answer = await unlessRefused(embed(stage, request), 'invalid_request');
  assert.ok(!answer || stage.lastReceived().raw.includes(words), `${words} did not arrive, and nothing says so`);
}
