import { clientSettings } from '../../core/plugins/client-settings';
import { launchClientSchema } from '../../core/plugins/clients';
import type { Values } from '../../core/plugins/fill-text';

const VALUES = { url: 'http://127.0.0.1:9', key: 'k', model: 'a:m', small_model: 'a:s', folder: '/f' };

const settings = (client: Record<string, unknown>, values: Values = VALUES) =>
  clientSettings(launchClientSchema.parse({ name: 'crow', title: 'Crow', programs: ['crow'], ...client }), values);

test('placeholders stand in variables, arguments and files', () => {
  expect(
    settings({
      environment: { BASE: '{url}/v1', KEY: '{key}', OLD: null },
      arguments: ['--yes', ['--model', '{model}'], '--config={folder}/c'],
      files: { c: 'small = {small_model}' },
    }),
  ).toEqual({
    environment: { BASE: 'http://127.0.0.1:9/v1', KEY: 'k', OLD: undefined },
    args: ['--yes', '--model', 'a:m', '--config=/f/c'],
    files: { c: 'small = a:s' },
  });
});

test('an object becomes JSON, with its numbers, and the names of its fields are filled, too', () => {
  const { environment, files } = settings(
    {
      environment: { CONFIG: { models: { '{model}': { limit: '{context|8}', n: 3, on: true } } } },
      files: { 'c.json': { list: ['{url}', 1, null] } },
    },
    { ...VALUES, context: 64_000 },
  );
  expect(JSON.parse(environment.CONFIG!)).toEqual({ models: { 'a:m': { limit: 64_000, n: 3, on: true } } });
  expect(JSON.parse(files['c.json']!)).toEqual({ list: ['http://127.0.0.1:9', 1, null] });
});

test('a setting without its value is left out, with its whole group; the text behind a bar stands in for it', () => {
  const client = {
    environment: {
      WINDOW: '{context}',
      LIMIT: '{context|8000}',
      CONFIG: { window: '{context}', list: ['{context}', 'x'] },
    },
    arguments: [['--window', '{context}'], '--go'],
    files: { window: '{context}' },
  };
  const { environment, args, files } = settings(client);
  expect(Object.keys(environment)).toEqual(['LIMIT', 'CONFIG']);
  expect(environment.LIMIT).toBe('8000');
  expect(JSON.parse(environment.CONFIG!)).toEqual({ list: ['x'] });
  expect([args, files]).toEqual([['--go'], {}]);
});

test('a variable whose value is not known stays as the user has it', () => {
  expect(settings({ environment: { WINDOW: '{context}' } }).environment).toEqual({});
});

test('other braces stay as they are', () => {
  expect(settings({ environment: { A: '{env:KEY} {} {A} { x }' } }).environment).toEqual({
    A: '{env:KEY} {} {A} { x }',
  });
});
