import { documentOf } from '../../config/document';
import { keepsOthers } from '../../config/edit-config';
import { type ConfigSource, findConfig } from '../../config/find-config';
import { loadConfig } from '../../config/load';
import { isPattern } from '../../config/routes';
import type { Project } from '../../daemon/project/project';
import { ConfigError, HintedError } from '../../errors';
import { reloadRunning } from '../daemon/reload';
import { pathsHere } from '../here';
import { openProjectHere } from '../open-project';
import { replaceConfig } from './replace-config';
import { printAnswer, printNote, printWarnings } from '../terminal/print';

/** The user's own file, which need not exist. Throws a ConfigError where it has mistakes. */
export function readOwn() {
  const { global: source } = findConfig(pathsHere());
  const { entries, routes: allRoutes, clients, defaultProvider, problems } = loadConfig({ global: source });
  if (problems.length > 0) throw new ConfigError(problems);
  const names = entries.map(({ name }) => name);
  const routes = allRoutes.map(({ name }) => name).filter((name) => !isPattern(name));
  // The edits know one kind of line break.
  const text = (source.document.text ?? '').replaceAll('\r\n', '\n');
  return { source, text, names, routes, clients, defaultProvider: defaultProvider?.name };
}

/**
 * Writes the file where its new text has no mistakes, and returns the project that it makes. A daemon that runs reads it.
 * `name`: whom the edit is about.
 */
export async function writeOwn(
  source: ConfigSource,
  edited: string,
  name: string,
  say = printAnswer,
): Promise<Project> {
  const { file, document: read } = source;
  const text = read.text?.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
  const project = openWith(file, text);
  if (!keepsOthers(read.text ?? '', text, name))
    throw new HintedError(`nothing was written: the layout of ${file} is unusual`, 'edit the file yourself');
  printWarnings(project.warnings);
  await replaceConfig(source, text);
  say(`written: ${file}`);
  await reloadRunning(project.warnings);
  return project;
}

/** Opens the project that the file makes with this text. */
function openWith(file: string, text: string): Project {
  try {
    return openProjectHere({ source: { file, document: documentOf(file, text) }, useProject: true }).project;
  } catch (error) {
    // Mistakes that were there before have other lines in the new text.
    try {
      openProjectHere({ useProject: true });
    } catch (old) {
      printNote(`nothing was written: ${file} has mistakes`);
      throw old;
    }
    printNote(`nothing was written: ${file} would have mistakes`);
    throw error;
  }
}
