import { resolveEndpoint } from '../../../../plugins/_shared/chat-completions/endpoint';

test.each([
  ['http://host:1234', 'http://host:1234/v1/chat/completions'],
  ['http://host:1234/', 'http://host:1234/v1/chat/completions'],
  ['http://host:1234/v1', 'http://host:1234/v1/chat/completions'],
  ['http://host:1234/v1/', 'http://host:1234/v1/chat/completions'],
  ['http://host:1234/v1//', 'http://host:1234/v1/chat/completions'],
  ['https://host/v2', 'https://host/v2/chat/completions'],
  ['https://host/v1beta/openai/', 'https://host/v1beta/openai/chat/completions'],
  ['https://host/v1alpha1', 'https://host/v1alpha1/chat/completions'],
  ['https://host/api/paas/v4', 'https://host/api/paas/v4/chat/completions'],
  ['https://host/openai', 'https://host/openai/v1/chat/completions'],
  ['https://host/vault', 'https://host/vault/v1/chat/completions'],
  ['https://host/inference/chat/completions', 'https://host/inference/chat/completions'],
  ['https://host/v1/chat/completions/', 'https://host/v1/chat/completions'],
  ['https://host/v1?region=eu', 'https://host/v1/chat/completions?region=eu'],
  [
    'https://host/openai/deployments/d?api-version=1',
    'https://host/openai/deployments/d/chat/completions?api-version=1',
  ],
])('the base_url %s leads to %s', (baseUrl, chat) => {
  const endpoint = resolveEndpoint(baseUrl);
  expect(endpoint.chat.href).toBe(chat);
  expect(endpoint.models.href).toBe(chat.replace('/chat/completions', '/models'));
});
