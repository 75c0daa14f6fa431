import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot, productName } from '../../package';
import { shellWords } from '../../shell-words';

const IN_GLOBAL = /^(.+)\/lib\/node_modules\/[^/]+$/;
const IN_PROJECT = /^(.+)\/node_modules\/[^/]+$/;

/** What removes the program itself: that depends on how it came here. `prefix`: where this Node's npm installs programs. */
export function howToRemove(root = packageRoot, prefix = dirname(dirname(process.execPath))): string {
  if (existsSync(join(root, '.git'))) return `to remove the program, delete your clone: ${root}`;
  const [, own] = IN_GLOBAL.exec(root) ?? [];
  if (own !== undefined) {
    const words = own === prefix ? [] : ['--prefix', own];
    return `to remove the program: ${shellWords(['npm', 'uninstall', '-g', ...words, productName])}`;
  }
  const [, project] = IN_PROJECT.exec(root) ?? [];
  // Package managers of other kinds, and caches, have such folders as well.
  if (project !== undefined && existsSync(join(project, 'package.json')))
    return `to remove the program, in ${project}: npm uninstall ${productName}`;
  return `to remove the program, use what has installed it; it is in ${root}`;
}
