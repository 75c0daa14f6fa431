import { rootWarning, stderrWarnings } from '../../../plugins/alpha-cli/warnings';

const MODE = 'bypassPermissions';

it('warns root of what the program refuses, with three ways out', () => {
  const warning = rootWarning(MODE, {}, 0);
  expect(warning).toMatch(/another user.*permission_mode: acceptEdits.*IS_SANDBOX=1/);
});

it.each<[string, NodeJS.ProcessEnv, number | undefined]>([
  ['acceptEdits', {}, 0],
  [MODE, { IS_SANDBOX: '1' }, 0],
  [MODE, { CLAUDE_CODE_BUBBLEWRAP: '1' }, 0],
  [MODE, {}, 1000],
  [MODE, {}, undefined],
])('has nothing to say about %s, %j, user %s', (mode, environment, userId) => {
  expect(rootWarning(mode, environment, userId)).toBeUndefined();
});

it('knows that the program takes only 1 for a sandbox', () => {
  expect(rootWarning(MODE, { IS_SANDBOX: 'true' }, 0)).toBeDefined();
});

it('finds warnings in the noise, and no more than a few', () => {
  expect(stderrWarnings('')).toEqual([]);
  expect(stderrWarnings('x\n Warning: a\nno warning\nwarning b')).toEqual(['Warning: a', 'warning b']);
  expect(stderrWarnings('Warning: a\n'.repeat(100))).toHaveLength(5);
});
