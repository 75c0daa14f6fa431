import { existsSync } from 'node:fs';
import { nameOf, Proxies } from '../../http/proxies';
import { productName } from '../../package';
import { howToMove, ignoredVariable, type Paths } from '../../paths';
import { folderFault } from '../folder-fault';
import { findPortOwner } from '../serve/port-owner';
import { type DoctorFinding, finding, type FindingCode } from './finding';
import { stateFault } from './state-fault';

/** What Drivebay itself stands on: Node, the system, its folders, the port of the gateway. */
export async function systemFindings(paths: Paths, port: number): Promise<DoctorFinding[]> {
  const folders = [
    lookAtFolder('state_folder', 'state', paths, 'records and the daemon need it'),
    lookAtFolder('cache_folder', 'cache', paths, 'providers that run programs need it'),
  ];
  // The launcher runs nothing with a Node that is too old.
  const node = finding('node_version', 'ok', `Node ${process.versions.node}`);
  return [node, ...platformFinding(), ...(await Promise.all(folders)), await lookAtPort(port), ...proxyFindings()];
}

/** The way of requests to other machines. */
function proxyFindings(): DoctorFinding[] {
  const proxies = Proxies.in(process.env);
  if (!proxies) return [];
  const exceptions = ['this machine', ...proxies.exceptions].join(', ').replace(/, ([^,]*)$/, ' and $1');
  return [...proxies.known].map(([scheme, proxy]) => {
    if ('code' in proxy) return finding('proxy', 'broken', proxy.message, proxy.hint);
    const way = `${scheme} requests go by ${nameOf(proxy)} (${proxy.variable})`;
    return finding('proxy', 'ok', `${way}, but for ${exceptions}`);
  });
}

function platformFinding(): DoctorFinding[] {
  if (process.platform === 'linux' || process.platform === 'darwin') return [];
  return [finding('platform', 'warning', `${productName} is not tested on ${process.platform}`)];
}

async function lookAtFolder(code: FindingCode, folder: 'state' | 'cache', paths: Paths, why: string) {
  const outside = await folderFault(paths[folder]);
  if (outside) return finding(code, 'broken', `${outside.reason}; ${why}`, howToMove(folder, outside.isFull));
  const inside = folder === 'state' ? await stateFault(paths.state) : undefined;
  if (inside !== undefined) return finding(code, 'broken', `${inside}; ${why}`, howToMove(folder));
  const note = existsSync(paths[folder]) ? '' : ' (made when it is needed)';
  const place = paths[folder] + note;
  const ignored = ignoredVariable(folder, process.env, place);
  return ignored === undefined ? finding(code, 'ok', place) : finding(code, 'warning', ignored);
}

async function lookAtPort(port: number): Promise<DoctorFinding> {
  const owner = await findPortOwner(port);
  if (owner.is === 'free') return finding('port', 'ok', `port ${port} is free for ${productName} serve`);
  if (owner.is === 'gateway') return finding('port', 'ok', `a gateway listens on port ${port} (${owner.product})`);
  const fix = `${productName} serve --port ${port + 1}; to see which one: lsof -i :${port}`;
  return finding('port', 'note', `port ${port} is taken by another program`, fix);
}
