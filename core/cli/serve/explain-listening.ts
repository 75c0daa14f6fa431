import { codeOf, UsageError } from '../../errors';
import { explainPortTaken } from './explain-port-taken';

/** Why a port cannot be had, and what to type instead. */
export async function explainListening(error: unknown, port: number, command = 'serve'): Promise<unknown> {
  if (['EADDRINUSE', 'port_taken'].includes(codeOf(error) ?? '')) return explainPortTaken(port, command);
  if (['EACCES', 'port_forbidden'].includes(codeOf(error) ?? '')) {
    return new UsageError(
      `port ${port} needs more rights than you have`,
      `choose one above 1023: drivebay ${command} --port 8080`,
    );
  }
  return error;
}
