import type { CheckCode, Finding } from '../../core/authoring/check/check-codes';
import { checkPlugin } from '../../core/authoring/check/check-plugin';
import { COMMONJS } from '../setup/driver-code';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
let count = 0;

export interface Sample {
  manifest?: Record<string, unknown>;
  code?: string;
  main?: string;
  /** The text of manifest.json in place of a sound one. */
  text?: string;
  files?: Record<string, string>;
  limitMs?: number;
}

/** Checks a plug-in called `sample`, in a folder of that name. */
export async function check({
  manifest = {},
  code = COMMONJS,
  main = './index.js',
  text,
  files = {},
  limitMs,
}: Sample) {
  const folder = `${++count}/sample`;
  const directory = home.plugin('sample', { folder, code, main, manifest });
  if (text !== undefined) home.write(`${folder}/manifest.json`, text);
  for (const [name, content] of Object.entries(files)) home.write(`${folder}/${name}`, content);
  return checkPlugin(directory, limitMs);
}

export const notOk = (findings: Finding[]) =>
  findings
    .filter(({ status }) => status === 'failed' || status === 'warning')
    .map(({ code, status }) => [code, status]);

/** A plug-in with one mistake, and the finding about it. */
export type Mistake = [name: string, code: CheckCode, status: 'failed' | 'warning', says: RegExp, sample: Sample];

export async function expectMistake(...[, code, status, says, sample]: Mistake): Promise<void> {
  const { passed, findings } = await check(sample);
  expect(notOk(findings)).toContainEqual([code, status]);
  expect(findings.find((finding) => finding.code === code && finding.status === status)?.message).toMatch(says);
  expect(passed).toBe(status === 'warning');
}

/** The code of a factory that does this. */
export const factory = (statement: string) => `module.exports = () => { ${statement} };`;
