import { get } from 'node:http';
import { productName } from '../package';

/** An error with a second line for the user. */
class PortTakenError extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Finds out who has the port: our own gateways say so in the `Server` header of /health. */
export async function explainPortTaken(port: number, command: string): Promise<Error> {
  const owner = await askOwner(port);
  if (owner?.startsWith(`${productName}/`)) {
    return new PortTakenError(
      `port ${port} is taken by another drivebay (${owner.replace('/', ' ')})`,
      `use the one that runs at http://127.0.0.1:${port}, stop it, or choose another port: drivebay ${command} --port ${next(port)}`,
    );
  }
  return new PortTakenError(
    `port ${port} is taken by another program`,
    `choose another port: drivebay ${command} --port ${next(port)}; to see who has it: lsof -i :${port}`,
  );
}

/** What a server on this machine says it is; undefined where none answers. */
export function askOwner(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', timeout: 500 }, (response) => {
      response.resume();
      resolve(String(response.headers.server));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

function next(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}
