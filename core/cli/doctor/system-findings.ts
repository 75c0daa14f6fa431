import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, messageOf } from '../../errors';
import { oldestNode, productName } from '../../package';
import type { Paths } from '../../paths';
import { findPortOwner } from '../serve/port-owner';
import { type DoctorFinding, finding, type FindingCode } from './finding';

/** What Drivebay itself stands on: Node, the system, its folders, the port of the gateway. */
export async function systemFindings(paths: Paths, port: number): Promise<DoctorFinding[]> {
  const folders = [
    lookAtFolder('state_folder', paths.state, 'records and the daemon need it'),
    lookAtFolder('cache_folder', paths.cache, 'providers that run programs need it'),
  ];
  const node = nodeFinding(process.versions.node);
  return [node, ...platformFinding(), ...(await Promise.all(folders)), await lookAtPort(port)];
}

function nodeFinding(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestNode.split('.').map(Number);
  const isNewEnough = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  if (isNewEnough) return finding('node_version', 'ok', `Node ${version}`);
  const message = `Node ${version}, ${oldestNode} is needed`;
  return finding('node_version', 'broken', message, 'install a newer one: https://nodejs.org');
}

function platformFinding(): DoctorFinding[] {
  if (process.platform === 'linux' || process.platform === 'darwin') return [];
  return [finding('platform', 'warning', `${productName} is not tested on ${process.platform}`)];
}

/** Changes nothing. Where a folder does not exist yet, its nearest parent that exists decides. */
async function lookAtFolder(code: FindingCode, folder: string, why: string): Promise<DoctorFinding> {
  for (let place = folder; ; place = dirname(place)) {
    try {
      await access(place, constants.W_OK | constants.X_OK);
      return finding(code, 'ok', place === folder ? folder : `${folder} (made when it is needed)`);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && dirname(place) !== place) continue;
      const message = `${place} cannot be written to (${messageOf(error).split(':')[0]}); ${why}`;
      return finding(code, 'broken', message, `make it yours: sudo chown -R "$(id -u)" '${place}'`);
    }
  }
}

async function lookAtPort(port: number): Promise<DoctorFinding> {
  const owner = await findPortOwner(port);
  if (owner.is === 'free') return finding('port', 'ok', `port ${port} is free for ${productName} serve`);
  if (owner.is === 'gateway') return finding('port', 'ok', `a gateway listens on port ${port} (${owner.product})`);
  const fix = `${productName} serve --port ${port + 1}; to see which one: lsof -i :${port}`;
  return finding('port', 'note', `port ${port} is taken by another program`, fix);
}
