import { PEERS } from './peers.mjs';
import { measureRequests, warmUp } from './request-scenarios.mjs';
import { measureFirstChunk, measurePaced } from './stream-scenarios.mjs';

/** A tenth of the requests: there are peers that serve fifty a second. */
function lighter(plan) {
  return {
    ...plan,
    cold: plan.cold / 10,
    warmUp: plan.warmUp / 10,
    requestsPerBlock: plan.requestsPerBlock / 10,
    coldStreams: plan.coldStreams / 10,
    warmUpStreams: plan.warmUpStreams / 10,
  };
}

/** Another gateway in the place of ours, in processes of its own. */
export async function measurePeer(name, targets, plan, results) {
  const { direct, floor, gateway } = await targets.startPeerPair(name);
  const { port, pid } = gateway;
  const trio = { direct, floor, gateway: { port, pid, door: PEERS[name].door } };
  const [own, light] = [results.of(name), lighter(plan)];
  await warmUp(trio, light, own);
  await measureRequests(trio, light, own);
  await measureFirstChunk(trio, light, own);
  await measurePaced(trio, light, own);
  await Promise.all([floor.stop(), gateway.stop()]);
}
