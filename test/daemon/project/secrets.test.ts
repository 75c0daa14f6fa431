import { ask, callerOf } from '../../../core/authoring/fakes/requests';
import type { ChatEvent } from '../../../core/contract/api';
import { Redactor } from '../../../core/contract/redact';
import { openProject } from '../../../core/daemon/project/project';
import { createLogger } from '../../../core/log/logger';
import { HEALTHY } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
/** Answers with the names of the variables that its programs see. */
const driver = (first: string) => `module.exports = (context) => ({ ...${HEALTHY}, async *chat(request, call) {
  ${first}
  const program = await context.spawn('/usr/bin/env', [], { signal: call.signal });
  for await (const line of program.lines()) yield { type: 'text', text: line.split('=')[0] + ' ' };
  yield { type: 'finish', reason: 'stop' };
} });`;

home.plugin('pool', {
  code: driver(`context.secret('POOL_KEY');`),
  manifest: {
    options: {
      cookie: { type: 'string', minLength: 12, secret: true },
      headers: { type: 'object', secret: true },
    },
  },
});
home.plugin('other', { code: driver('') });

function open(...entries: string[]) {
  home.providers(...entries);
  const redactor = new Redactor();
  const log = createLogger({ level: 'silent', format: 'text', redactor });
  const environment = home.environment({ POOL_KEY: 'key-of-the-pool-0123' });
  const parts = { workingDirectory: home.directory, environment, useProject: false, log, redactor };
  return { redactor, project: openProject(parts) };
}

test('the values of secret options are taken out of texts', async () => {
  const { redactor, project } = open(
    'name: a, driver: pool, cookie: chocolate chip, headers: { X-Auth: [vanilla wafer] }',
  );
  expect(redactor.redact('chocolate chip, vanilla wafer')).toBe('[redacted], [redacted]');
  await project.close();
});

test('the keys in an address are taken out of texts, and the rest of the address stays', async () => {
  const { redactor, project } = open(
    'name: a, driver: chat-compat, base_url: "http://u:hunter2secret@127.0.0.1:1/v1?version=2024-10-21&api_key=AAAABBBB1234"',
  );
  expect(redactor.redact('hunter2secret of 127.0.0.1:1/v1?version=2024-10-21&api_key=AAAABBBB1234')).toBe(
    '[redacted] of 127.0.0.1:1/v1?version=2024-10-21&api_key=[redacted]',
  );
  await project.close();
});

test('the problem of a secret option does not show its value', () => {
  expect(() => open('name: a, driver: pool, cookie: oatmeal')).toThrow(
    /cookie: found a text \(not shown\), expected a text of at least 12 characters$/,
  );
});

test('a key that a driver has looked up is kept from the programs of other providers', async () => {
  const { project } = open('name: a, driver: pool', 'name: b, driver: other');
  const seenBy = async (name: string) => {
    let text = '';
    const emit = (event: ChatEvent) => void (event.type === 'text' && (text += event.text));
    await project.devices
      .llms()
      .find((device) => device.name === name)!
      .chat(ask('?'), callerOf('c1'), emit);
    return text.split(' ').includes('POOL_KEY');
  };
  expect([await seenBy('b'), await seenBy('a'), await seenBy('b')]).toEqual([true, true, false]);
  await project.close();
});
