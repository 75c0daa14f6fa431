/** An agent program whose every run fails, and says so in a file. */
export const CRASHING = {
  manifest: { kind: 'cli', capabilities: { tools: true } },
  code: `module.exports = (context) => ({
    async *chat() {
      require('node:fs').appendFileSync(process.env.HOME + '/runs', 'x');
      throw context.error('upstream', 'the program crashed', { kind: 'crashed', sideEffects: true });
    },
    async check() {},
  });`,
};
