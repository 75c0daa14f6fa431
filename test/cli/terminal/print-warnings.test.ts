import { AgentHome } from '../../setup/agent-home';

const home = new AgentHome();
const file = home.configure(`version: "1"
default_provider: main
providers:
  - { name: main, driver: talker, default_model: m-1 }
  - { name: other, driver: talker, default_model: o-1, modle: x }
routes:
  - { name: any, targets: [main, other] }
`);
const WARNING = `warning: ${file}:5:56: provider "other": unknown option modle, ignored; did you mean mode?\n`;

const LAUNCH = ['launch', 'claude', '--print'];

test.each([
  [['chat'], false],
  [['chat', '--provider', 'main'], false],
  [['chat', '--provider', 'other'], true],
  [['chat', '--provider', 'any'], true],
  [LAUNCH, false],
  [[...LAUNCH, '--small-model', 'other:o-1'], true],
  [[...LAUNCH, '--provider', 'any'], true],
  [['hi', '--provider', 'main'], false],
  [['hi'], true],
  [['hi', '--provider', ''], true],
  [['models', 'main'], false],
  [['models'], true],
  [['providers', 'explain', 'main'], false],
])('%j: a mistake in the entry of another provider is told: %s', async (words, isTold) => {
  const { stderr } = await home.run(...words);
  expect(stderr.includes(WARNING)).toBe(isTold);
});
