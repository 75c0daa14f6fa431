import { UsageError } from '../../errors';
import { productVersion } from '../../package';
import type { Fixture } from '../../record/fixture';
import { printJson, printNote } from '../terminal/print';
import { WHY_GONE } from './debug-show';
import { readExchange, recordingDaemon } from './exchanges';

/** `debug export`: one request as JSON, for a bug report or for the test of a driver. */
export async function debugExport(
  id: string,
  { as, withContent }: { as: 'fixture' | 'json'; withContent?: boolean },
): Promise<void> {
  if (as === 'json') {
    const exchange = await readExchange(id, withContent);
    printJson({ drivebay: productVersion, node: process.version, platform: process.platform, exchange });
    if (exchange.contentGone) printNote(WHY_GONE);
    return;
  }
  if (!withContent) {
    const hint = `to say that it may be in the file: drivebay debug export ${id} --as fixture --with-content`;
    throw new UsageError('a fixture is made of prompt and answer', hint);
  }
  const { client } = await recordingDaemon();
  const path = `/v1/exchanges/${encodeURIComponent(id)}/fixture`;
  printJson(await client.get<Fixture>(path));
}
