import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The newest release of a major version of Node, from the packages in which npm has it for each platform. */
export async function nodeRelease(major: number, folder: string): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(folder, `node-${major}`);
  await run('npm', ['install', '--prefix', prefix, '--prefer-offline', '--ignore-scripts', `${name}@${major}`]);
  const program = join(prefix, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) throw new Error(`${name}@${major} has no ${program}`);
  return program;
}
