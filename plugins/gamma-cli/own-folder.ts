import { join } from 'node:path';
import { parseJson } from '../_shared/fields';
import { homeFolder } from '../_shared/home-folder';
import type { Cli } from './cli';

/** A file in the CLI's own folder. */
export function ownFile(dialect: Cli['dialect'], ...names: string[]): string {
  const { GEMINI_CLI_HOME: geminiHome, QWEN_HOME: qwenFolder } = process.env;
  if (dialect === 'qwen' && qwenFolder) return join(qwenFolder, ...names);
  return join((dialect === 'gemini' && geminiHome) || homeFolder(), `.${dialect}`, ...names);
}

/** The folder below which the CLI has one for each directory that it has worked in. */
export function projectsFolder(dialect: Cli['dialect']): string {
  const { QWEN_RUNTIME_DIR: runtime } = process.env;
  if (dialect === 'gemini') return ownFile('gemini', 'tmp');
  return runtime ? join(runtime, 'projects') : ownFile('qwen', 'projects');
}

/** The value of the CLI's settings, which may have comments. Undefined where they are no JSON. */
export function parseSettings(text: string): unknown {
  const commentOrText = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;
  return parseJson(text.replace(commentOrText, (_, string: string | undefined) => string ?? ''));
}
