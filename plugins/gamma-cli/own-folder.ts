import { join } from 'node:path';
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
