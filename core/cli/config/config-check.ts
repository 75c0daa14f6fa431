import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../errors';
import type { CommonFlags } from '../command-options';
import { openProjectHere } from '../open-project';
import { countOf } from '../terminal/format';
import { printAnswer, printNote, printWarnings } from '../terminal/print';

/** `config check`: says whether the configuration in use, or one file alone, can be used. */
export function configCheck(given: string | undefined, options: CommonFlags): void {
  const file = given === undefined ? undefined : resolve(given);
  if (file !== undefined && !existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const { project } = openProjectHere({ useProject: options.project, file });
  const warnings = [...project.notices, ...project.warnings];
  printWarnings(warnings);
  if (project.files.length === 0) printNote('to write a configuration for this machine: drivebay init');
  const what = project.files.join(' and ') || 'no configuration file, so the built-in provider is used';
  const providers = countOf(project.devices.llms().length, 'provider');
  printAnswer(`ok: ${what}: ${providers}, ${countOf(warnings.length, 'warning')}`);
}
