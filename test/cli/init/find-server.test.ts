import { findServer } from '../../../core/cli/init/find-server';
import { bundledPlugins } from '../../../core/plugins/discover';
import { json, raw, Upstream } from '../../setup/upstream';

const owner = bundledPlugins().find(({ manifest }) => manifest?.detect?.ports.length)!.manifest!;
const items = owner.detect!.ports;

let server: Upstream;
beforeEach(async () => {
  server = await Upstream.start();
});
afterEach(() => server.close());

/** What each server answers, by path; anything else is 404. */
const SERVERS: Record<string, { answers: Record<string, unknown>; model: string }> = {
  ollama: {
    answers: {
      '/api/tags': { models: [{ name: 'nomic-embed-text:latest' }, { name: 'llama3.2:latest' }, { name: 'qwen3:8b' }] },
      '/api/ps': { models: [{ name: 'qwen3:8b', model: 'qwen3:8b', size_vram: 1 }] },
    },
    model: 'qwen3:8b',
  },
  lmstudio: {
    answers: {
      '/api/v0/models': {
        object: 'list',
        data: [
          { id: 'text-embedding-nomic', type: 'embeddings', state: 'loaded' },
          { id: 'qwen2-vl-7b', type: 'vlm', state: 'not-loaded' },
          { id: 'llama-3.1-8b', type: 'llm', state: 'loaded' },
        ],
      },
    },
    model: 'llama-3.1-8b',
  },
  llamacpp: {
    answers: {
      '/props': { default_generation_settings: { n_ctx: 4096 }, total_slots: 1, model_path: 'm.gguf' },
      '/v1/models': { object: 'list', data: [{ id: 'gemma-3-4b', object: 'model', owned_by: 'llamacpp' }] },
    },
    model: 'gemma-3-4b',
  },
  vllm: {
    answers: { '/v1/models': { object: 'list', data: [{ id: 'Qwen/Qwen3-8B', object: 'model', owned_by: 'vllm' }] } },
    model: 'Qwen/Qwen3-8B',
  },
};

function play(name: string, headers: Record<string, string> = {}): void {
  const { answers } = SERVERS[name]!;
  server.answer(({ path }) => {
    const body = answers[path];
    return body === undefined ? json({ error: 'not found' }, { status: 404, headers }) : json(body, { headers });
  });
}

/** The sightings of all descriptions, as if each had the port of the server. */
async function findAll() {
  const found = await Promise.all(items.map((item) => findServer({ ...item, port: server.port }, owner)));
  return found.filter(({ where }) => where !== undefined);
}

test('there is a description of each server', () => {
  expect(items.map(({ provider }) => provider.name)).toEqual(Object.keys(SERVERS));
});

describe.each(Object.keys(SERVERS))('%s', (name) => {
  test('is found with the model that it has loaded, and not taken for one of the others', async () => {
    play(name);
    const where = `http://127.0.0.1:${server.port}`;
    const provider = expect.objectContaining({ name, default_model: SERVERS[name]!.model }) as object;
    expect(await findAll()).toEqual([expect.objectContaining({ where, provider })]);
  });

  test('a gateway of ours that answers like it is none', async () => {
    play(name, { server: 'drivebay/1.0.0' });
    expect(await findAll()).toEqual([]);
  });
});

test('a server without a model is found, with the command that gives it one', async () => {
  server.answer(() => json({ models: [] }));
  const [item] = items;
  const found = await findServer({ ...item!, port: server.port }, owner);
  expect(found).toMatchObject({ where: expect.any(String), lacks: 'it has no model; run: ollama pull llama3.2' });
});

test.each([
  ['HTML', () => raw(['<html>'], { headers: { 'content-type': 'text/html' } })],
  ['another JSON', () => json(['x'])],
  ['null', () => json(null)],
])('a program that answers with %s is no server', async (_, answer) => {
  server.answer(answer);
  expect(await findAll()).toEqual([]);
});
