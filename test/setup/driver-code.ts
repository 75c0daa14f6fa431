/** Sources of small drivers, for plug-ins that a test writes to disk. */

/** A driver object that is always healthy and answers "hi". */
export const HEALTHY = `{
  async *chat() { yield { type: 'text', text: 'hi' }; yield { type: 'finish', reason: 'stop' }; },
  async check() {},
}`;

export const COMMONJS = `module.exports = () => (${HEALTHY});`;
export const ES_MODULE = `export default () => (${HEALTHY});`;

/** A CommonJS driver with a `check` of its own; its body sees `context` and `call`. */
export function withCheck(body: string): string {
  return `module.exports = (context) => ({ ...${HEALTHY}, async check(call) { ${body} } });`;
}
