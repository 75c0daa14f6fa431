import { tempHome } from '../setup/temp-home';

const home = tempHome();

test.each([
  [
    'a number',
    'diagnose() { return 5; }',
    'the driver’s diagnose() has to be an async generator: async *diagnose(call)',
  ],
  ['a promise', 'async diagnose() { return []; }', 'has to be an async generator'],
  ['findings without their fields', 'async *diagnose() { yield 5; }', 'it needs topic, severity and message'],
])('a driver whose diagnose gives %s is told what it has to be', async (_, code, message) => {
  home.plugin('odd', { code: `module.exports = () => ({ async *chat() {}, async check() {}, ${code} });` });
  home.providers('name: a, driver: odd, default_model: m');
  const { stdout } = await home.run('doctor', 'a');
  expect(stdout).toContain(message);
  expect(stdout).toContain('reachable: ');
});

test('what a check throws cannot end the report about the other providers', async () => {
  const trap = '{ get code() { throw new Error("trap"); }, get message() { throw new Error("trap"); } }';
  home.plugin('odd', { code: `module.exports = () => ({ async *chat() {}, async check() { throw ${trap}; } });` });
  home.plugin('good', { code: 'module.exports = () => ({ async *chat() {}, async check() {} });' });
  home.providers('name: a, driver: odd', 'name: b, driver: good');
  const { code, stdout } = await home.run('providers', 'status');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/a .*offline[^]*b .*healthy/)]);
});
