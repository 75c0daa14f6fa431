import { get } from 'node:http';
import { codeOf } from '../../errors';
import { productName } from '../../package';

/** Who listens on a port of this machine. `gateway` is one of ours: `product` is its name and version. */
export type PortOwner = { is: 'nobody' | 'stranger' } | { is: 'gateway'; product: string };

const LIMIT_MS = 500;

/**
 * Finds out who has a port: our own gateways say so in the `Server` header of /health. By connecting, because to listen would
 * keep a gateway from the port that starts just now.
 */
export function findPortOwner(port: number): Promise<PortOwner> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', timeout: LIMIT_MS }, (response) => {
      response.resume();
      const server = response.headersDistinct.server?.[0] ?? '';
      const isOurs = server.startsWith(`${productName}/`);
      resolve(isOurs ? { is: 'gateway', product: server.replace('/', ' ') } : { is: 'stranger' });
    });
    request.on('timeout', () => request.destroy());
    // Whoever is silent, or speaks something else, is there all the same.
    request.on('error', (error) => resolve({ is: codeOf(error) === 'ECONNREFUSED' ? 'nobody' : 'stranger' }));
  });
}
