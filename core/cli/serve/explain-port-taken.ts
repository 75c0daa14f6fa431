import { HintedError } from '../../errors';
import { findPortOwner } from './port-owner';

/** Says who has the port that a command wants, and what to type instead. */
export async function explainPortTaken(port: number, command: string): Promise<Error> {
  const owner = await findPortOwner(port);
  const another = `choose another port: drivebay ${command} --port ${next(port)}`;
  if (owner.is !== 'gateway') {
    return new HintedError(
      `port ${port} is taken by another program`,
      `${another}; to see who has it: lsof -i :${port}`,
    );
  }
  return new HintedError(
    `port ${port} is taken by another drivebay (${owner.product})`,
    `use the one that runs at http://127.0.0.1:${port}, stop it, or ${another}`,
  );
}

function next(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}
