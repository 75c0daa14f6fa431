import type { ChatRequest } from '../../core/contract/api';
import { ignoredFields } from '../../core/plugins/ignored-fields';

const plain: ChatRequest = { stream: true, messages: [], extra: {} };

it('finds nothing in a plain request', () => {
  expect(ignoredFields({ ...plain, model: 'm', responseFormat: { type: 'text' } })).toEqual([]);
});

it('names fields as the client wrote them, those that Drivebay does not know too', () => {
  const request: ChatRequest = {
    ...plain,
    temperature: 0,
    topP: 1,
    stop: ['x'],
    maxTokens: 5,
    responseFormat: { type: 'json_object' },
    extra: { seed: 0, stream_options: { include_usage: true }, vendor_field: null },
  };
  const names = ['temperature', 'top_p', 'stop', 'max_tokens', 'response_format', 'seed', 'vendor_field'];
  expect(ignoredFields(request)).toEqual(names);
});

it('leaves out what the driver honours', () => {
  expect(ignoredFields({ ...plain, maxTokens: 5, extra: { seed: 1 } }, ['max_tokens', 'seed'])).toEqual([]);
});
