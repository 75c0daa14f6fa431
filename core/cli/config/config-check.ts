import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../errors';
import { countOf } from '../terminal/format';
import { open } from '../open';
import { printAnswer, printNote, printWarnings } from '../terminal/print';

export interface ConfigCheckOptions {
  project: boolean;
}

/** `config check`: says whether the configuration in use, or one file alone, can be used. */
export async function configCheck(file: string | undefined, options: ConfigCheckOptions): Promise<void> {
  const path = file === undefined ? undefined : resolve(file);
  if (path !== undefined && !existsSync(path)) throw new UsageError(`there is no file ${path}`);
  const { project } = await open({ useProject: options.project, ...(path !== undefined && { file: path }) });
  printWarnings([...project.notices, ...project.warnings]);
  const what = project.files.join(' and ') || 'no configuration file, so the built-in provider is used';
  if (project.files.length === 0) printNote('to write a configuration of what this machine has: drivebay init');
  const providers = countOf(project.devices.llms().length, 'provider');
  printAnswer(`ok: ${what}: ${providers}, ${countOf(project.notices.length + project.warnings.length, 'warning')}`);
}
