import { measureRequests, warmUp } from './request-scenarios.mjs';
import { measurePaced } from './stream-scenarios.mjs';

/** Measures requests and streams through one driver, in processes of their own. */
export async function measureDriver(driver, targets, plan, results) {
  const pair = await targets.startPair(driver);
  const own = results.of(driver);
  await warmUp(pair, plan, own);
  await measureRequests(pair, plan, own);
  await measurePaced(pair, plan, own);
  await Promise.all([pair.floor.stop(), pair.gateway.stop()]);
}
