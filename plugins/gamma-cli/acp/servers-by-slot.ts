import type { DriverContext } from 'drivebay/plugin';
import { Servers } from '../../_shared/cli/warm/servers';
import { Trials } from '../../_shared/cli/warm/trials';
import type { AcpProgram } from './acp-program';
import type { ProgramKind } from './program-kind';

/** The programs, by what they cannot change: Qwen Code has one model. */
export class ServersBySlot {
  private readonly found = new Map<string, Servers<AcpProgram>>();
  private readonly trials: Trials;

  constructor(
    private readonly context: Pick<DriverContext, 'keep' | 'log'>,
    private readonly limits: { most: number; forMs: number },
  ) {
    this.trials = new Trials(context);
  }

  of({ slot }: Pick<ProgramKind, 'slot'>): Servers<AcpProgram> {
    let servers = this.found.get(slot);
    if (!servers) {
      // Clients name as many models as they like.
      for (const [other, { isEmpty }] of this.found) if (isEmpty) this.found.delete(other);
      servers = new Servers(this.context, this.limits, this.trials);
      this.found.set(slot, servers);
    }
    return servers;
  }

  close(): void {
    for (const servers of this.found.values()) servers.close();
  }
}
