import { Redactor } from '../../core/contract/redact';
import type { MeasuredDaemon } from '../../core/daemon/metrics/metrics';
import { Watching } from '../../core/daemon/watching';
import { warningLog } from '../record/store';

test('a daemon ends although what measures it could not begin', async () => {
  const parts = { environment: {}, log: warningLog().log, redactor: new Redactor() };
  // A daemon whose ledger is not there.
  const watching = new Watching(parts, {} as MeasuredDaemon);
  await expect(watching.openPage()).rejects.toThrow();
  await watching.close();
});
