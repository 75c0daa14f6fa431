import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './repository';

const run = promisify(execFile);

/** The checkout as it is cloned: without packages of its own, without a build. */
export function copyCheckout(copy: string): string {
  const isLeftOut = (path: string) => /\/(node_modules|dist|\.git|\.dist-[^/]*)$/.test(path);
  cpSync(repository, copy, { recursive: true, filter: (path) => !isLeftOut(path) });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export interface InstalledPackage {
  tarball: string;
  /** For npm and PATH: the prefix of its global packages. */
  prefix: string;
  /** The package's own folder. */
  folder: string;
  /** What a shell runs for `drivebay`. */
  program: string;
}

/** Packs the checkout and installs the tarball. */
export async function installPackage(work: string): Promise<InstalledPackage> {
  // Packing writes into the package's folder, so it happens in a copy.
  const copy = copyCheckout(join(work, 'clone'));
  await run('npm', ['pack', '--pack-destination', work], { cwd: copy });
  const tarball = join(
    work,
    readdirSync(work).find((name) => name.endsWith('.tgz'))!,
  );
  return installTarball(tarball, join(work, 'prefix'));
}

/** As `npm install --global` does, but without a registry. */
export async function installTarball(tarball: string, prefix: string): Promise<InstalledPackage> {
  mkdirSync(prefix);
  await run('npm', ['install', '--global', '--offline', '--prefix', prefix, tarball], { cwd: prefix });
  return { tarball, prefix, folder: join(prefix, 'lib/node_modules/drivebay'), program: join(prefix, 'bin/drivebay') };
}
