import { get } from 'node:http';
import { codeOf, HintedError, UsageError } from '../../errors';
import { productName } from '../../package';

/** What listens on a port of this machine. `gateway` is one of ours: `product` is its name and version. */
type PortOwner = { is: 'free' | 'other' } | { is: 'gateway'; product: string };

interface PortAnswer {
  status: number;
  server: string;
  text: string;
}

/** A gateway on a busy machine takes its time; only a program that says nothing takes all of it. */
const LIMIT_MS = 2_000;
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** Our own gateways tell their name and version in the `Server` header. */
export function isOurs({ server }: PortAnswer): boolean {
  return server.startsWith(`${productName}/`);
}

/** Sends a GET to a port of this machine. Rejects where no HTTP server answers within the limit. */
export async function askPort(port: number, path: string, limitMs: number): Promise<PortAnswer> {
  const signal = AbortSignal.timeout(limitMs);
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json' };
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false, signal }, (response) => {
      const { statusCode: status = 0, headersDistinct } = response;
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.length > LARGEST_ANSWER) request.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => resolve({ status, server: headersDistinct.server?.[0] ?? '', text }));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

/** Finds out what has a port. It connects, because listening would keep the port from a gateway that starts just now. */
export async function findPortOwner(port: number): Promise<PortOwner> {
  try {
    const answer = await askPort(port, '/health', LIMIT_MS);
    return isOurs(answer) ? { is: 'gateway', product: answer.server.replace('/', ' ') } : { is: 'other' };
  } catch (error) {
    return { is: codeOf(error) === 'ECONNREFUSED' ? 'free' : 'other' };
  }
}

/** Explains why a command cannot listen on a port, and what to type instead. Returns any other error unchanged. */
export async function explainListening(error: unknown, port: number, command = 'serve'): Promise<unknown> {
  const code = codeOf(error) ?? '';
  if (['EACCES', 'port_forbidden'].includes(code)) {
    const hint = `choose one above 1023: drivebay ${command} --port 8080`;
    return new UsageError(`port ${port} needs more rights than you have`, hint);
  }
  if (!['EADDRINUSE', 'port_taken'].includes(code)) return error;
  const owner = await findPortOwner(port);
  const another = `choose another port: drivebay ${command} --port ${port < 65_535 ? port + 1 : port - 1}`;
  if (owner.is !== 'gateway') {
    return new HintedError(
      `port ${port} is taken by another program`,
      `${another}; to see which one: lsof -i :${port}`,
    );
  }
  return new HintedError(
    `port ${port} is taken by another drivebay (${owner.product})`,
    `use the one that runs at http://127.0.0.1:${port}, stop it, or ${another}`,
  );
}
