import type { AcpProgram } from '../../../plugins/gamma-cli/acp/acp-program';
import { ServersBySlot } from '../../../plugins/gamma-cli/acp/servers-by-slot';
import { OpenContext } from '../../setup/open-context';
import { DEFAULTS } from './harness';

test('a model without a program is forgotten, and one whose program starts is not', async () => {
  const open = new OpenContext('gamma-cli', DEFAULTS, {});
  try {
    const bySlot = new ServersBySlot(open.context, { most: 1, forMs: 1000 });
    const [idle, starting] = [bySlot.of({ slot: 'idle' }), bySlot.of({ slot: 'starting' })];
    starting.refill({ key: 'k', name: 'gemini', program: 'p', start: () => new Promise<AcpProgram>(() => undefined) });
    bySlot.of({ slot: 'other' });
    expect(bySlot.of({ slot: 'starting' })).toBe(starting);
    expect(bySlot.of({ slot: 'idle' })).not.toBe(idle);
  } finally {
    await open.close();
  }
});
