import type { Workspace } from 'drivebay/plugin';
import { toPrompt } from '../../../plugins/alpha-cli/prompt';
import { OpenContext } from '../../setup/open-context';
import { chatRequest } from '../harness';

const open = new OpenContext('alpha-cli', {});
afterAll(() => open.close());

function prompt(text: string, workspace?: Workspace): string {
  const request = chatRequest({ messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
  return toPrompt(request, open.context, { workspace, separateSystem: true }).prompt;
}

const skill = (directory: string) => ({ name: 'any', directory });

it.each(['Hi', '-p --help', ' /clear', 'a\n/clear', '@/etc/hostname', '# Title'])(
  'of a chat is the message: %j',
  (text) => {
    expect(prompt(text)).toBe(text);
  },
);

it('that would be a command of the program becomes text', () => {
  expect(prompt('/clear')).toBe('\n/clear');
});

it('of a process tells first where it is and what it has', () => {
  const skills = [skill('/skills/review'), skill('/skills/web')];
  expect(prompt('/fix it', { directory: '/my project', skills, first: true })).toBe(
    '# Instructions\n\nWorking directory: /my project\n\nAccessible skill bundle: /skills/review, /skills/web\n\n' +
      '# User request\n\n/fix it',
  );
});

it.each<[Partial<Workspace>, string]>([
  [{ directory: '/p' }, '# Instructions\n\nWorking directory: /p\n\n# User request\n\nDo'],
  [{ skills: [skill('/s')] }, '# Instructions\n\nAccessible skill bundle: /s\n\n# User request\n\nDo'],
  [{}, 'Do'],
  [{ directory: '/p', first: false }, 'Do'],
])('leaves out lines without content: %j', (workspace, expected) => {
  expect(prompt('Do', { skills: [], first: true, ...workspace })).toBe(expected);
});
