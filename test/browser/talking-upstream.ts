import { delta, DONE, finish, json, sse, Upstream, usageChunk } from '../setup/upstream';

/** Says `Hi` to everything, for 1,000 tokens in and 500 out, and has no list of models. */
export async function startTalkingUpstream(): Promise<Upstream> {
  const upstream = await Upstream.start();
  return upstream.answer(({ body }) =>
    body?.stream ? sse([delta('Hi'), finish(), usageChunk(1_000, 500), DONE]) : json({ data: [] }),
  );
}
