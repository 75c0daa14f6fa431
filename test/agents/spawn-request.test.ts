import { spawnRequestSchema } from '../../core/agents/spawn-request';

const REQUEST = { intent: 'say hello', workingDirectory: '/work' };

test('an intent and a folder are enough', () => {
  expect(spawnRequestSchema.parse(REQUEST)).toEqual({ ...REQUEST, skills: [] });
});

test.each([{ workingDirectory: 'work' }, { agentFile: './agent.yaml' }, { intent: 7 }, { skills: 'one' }])(
  '%j is refused',
  (wrong) => {
    expect(spawnRequestSchema.safeParse({ ...REQUEST, ...wrong }).success).toBe(false);
  },
);
