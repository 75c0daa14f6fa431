import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clientSettings } from '../../../core/plugins/client-settings';
import { parseManifest } from '../../../core/plugins/manifest';
import { repository } from '../../setup/repository';

/**
 * At a terminal Cline starts a process that stays, with the settings that it has itself, and each later Cline uses the one
 * that is named in this file. Where the file cannot be written, it does without that process.
 */
test('a launched Cline leaves no process for the Cline of the user to find', () => {
  const manifest = parseManifest(readFileSync(join(repository, 'plugins/chat-compat/manifest.json'), 'utf8'));
  const cline = manifest.clients.find(({ name }) => name === 'cline')!;
  const values = { url: 'http://127.0.0.1:9', key: 'k', model: 'a:m', small_model: 'a:s', folder: '/f' };
  const { environment } = clientSettings(cline, values);
  expect(statSync(dirname(environment.CLINE_HUB_DISCOVERY_PATH!)).isDirectory()).toBe(false);
});
