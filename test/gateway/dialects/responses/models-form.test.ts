import OpenAI from 'openai';
import type { RunningGateway } from '../../../setup/running-gateway';
import { useScripted } from '../../scripted-driver';
import type { Json } from '../../wire';

let gateway: RunningGateway;
const yaml = `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m-1, models: { m-1: { context_window: 1000 } } }
  - { name: plain, driver: plain }
`;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml }),
);

test('an agent that tells its version gets its catalog beside the usual list', async () => {
  const { data, models } = (await (await fetch(`${gateway.url}/v1/models?client_version=0.1.0`)).json()) as Json;
  expect(data.map(({ id }: Json) => id)).toEqual(['main', 'main:m-1', 'plain']);
  expect(models.map(({ slug, context_window: window }: Json) => [slug, window])).toEqual([
    ['main', 1000],
    ['main:m-1', 1000],
    ['plain', undefined],
  ]);
  // Without one of these the client refuses the whole catalog.
  expect(models[0]).toMatchObject({
    display_name: 'main',
    supported_reasoning_levels: [],
    shell_type: expect.any(String),
    visibility: 'list',
    supported_in_api: true,
    priority: 0,
    base_instructions: expect.stringContaining('coding agent'),
    support_verbosity: false,
    truncation_policy: { mode: 'bytes', limit: expect.any(Number) },
    experimental_supported_tools: [],
    input_modalities: ['text', 'image'],
  });
  expect(models[2].input_modalities).toEqual(['text']);
});

test('an SDK reads the same answer, and others get no catalog', async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
  const listed = await client.models.list({ query: { client_version: '0.1.0' } });
  expect(listed.data.map(({ id }) => id)).toEqual(['main', 'main:m-1', 'plain']);
  expect(await (await fetch(`${gateway.url}/v1/models`)).json()).not.toHaveProperty('models');
});
