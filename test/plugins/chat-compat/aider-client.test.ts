import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientSettings } from '../../../core/plugins/client-settings';
import { parseManifest } from '../../../core/plugins/manifest';
import { repository } from '../../setup/repository';

/** aider takes OPENAI_BASE_URL of the terminal, or of an .env file of the project, before the base URL of its own option. */
test('an OPENAI_BASE_URL of the user does not send a launched aider elsewhere', () => {
  const manifest = parseManifest(readFileSync(join(repository, 'plugins/chat-compat/manifest.json'), 'utf8'));
  const aider = manifest.clients.find(({ name }) => name === 'aider')!;
  const values = { url: 'http://127.0.0.1:9', key: 'k', model: 'a:m', small_model: 'a:s', folder: '/f' };
  const { args } = clientSettings(aider, values);
  expect(args.slice(args.indexOf('--set-env')).slice(0, 2)).toEqual([
    '--set-env',
    'OPENAI_BASE_URL=http://127.0.0.1:9/v1',
  ]);
});
