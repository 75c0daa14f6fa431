import { measureLatency, measureRequests, warmUp } from './request-scenarios.mjs';

/** The providers and routes of this scenario: nothing listens on port 1. */
const config = (upstreamPort) => {
  const provider = (name, port) => ({
    ...{ name, driver: 'chat-compat', base_url: `http://127.0.0.1:${port}/v1`, default_model: 'm' },
  });
  // JSON is YAML.
  return JSON.stringify({
    version: '1',
    providers: [provider('bench', upstreamPort), provider('dead', 1)],
    routes: [
      { name: 'first', targets: ['bench', 'dead'] },
      { name: 'second', targets: ['dead', 'bench'] },
    ],
  });
};

/** A route relative to its first target, asked by its own name through the same process; and what a dead target costs. */
export async function measureRoute(targets, plan, results) {
  const gateway = await targets.startGateway({ config });
  await gateway.untilHealthy();
  const { port, pid } = gateway;
  const provider = { port, pid, model: 'bench' };
  const own = results.of('route');
  const answered = { floor: provider, gateway: { port, pid, model: 'first' } };
  await warmUp(answered, plan, own);
  // What a route adds is less than the noise between long blocks, so these are short, and so many that the error of their
  // median is under 1 %.
  const short = { ...plan, blocks: 30 * plan.blocks, requestsPerBlock: plan.requestsPerBlock / 10 };
  await measureRequests(answered, short, own);
  await measureLatency({ direct: provider, floor: provider, gateway: { port, pid, model: 'second' } }, plan, own);
  await gateway.stop();
}
