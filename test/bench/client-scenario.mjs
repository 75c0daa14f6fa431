import { createHash } from 'node:crypto';
import { extraHeaders } from './chat-connection.mjs';
import { measureRequests, warmUp } from './request-scenarios.mjs';

const KEY = 'sk-bench-0123456789abcdef0123456789abcdef';

const CLIENT = {
  ...{ name: 'editor', key_sha256: createHash('sha256').update(KEY).digest('hex') },
  ...{ requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, budget_usd: { month: 100_000 } },
};

/** A gateway that takes any key, or one with these clients. Both know the price, so that the limits alone are the difference. */
function houseOf(clients) {
  const models = { bench: { usd_per_mtok: { input: 1, output: 2 } } };
  const provider = (port) => ({
    ...{
      name: 'bench',
      driver: 'chat-compat',
      base_url: `http://127.0.0.1:${port}/v1`,
      default_model: 'bench',
      models,
    },
  });
  // JSON is YAML.
  return { config: (port) => JSON.stringify({ version: '1', providers: [provider(port)], ...clients }) };
}

/** What a client with two limits and a budget costs, relative to the same gateway without clients. */
export async function measureClient(targets, plan, results) {
  const [open, limited] = await Promise.all(
    [{}, { clients: [CLIENT] }].map((clients) => targets.startGateway(houseOf(clients))),
  );
  for (const { port } of [open, limited]) extraHeaders.set(port, `Authorization: Bearer ${KEY}\r\n`);
  await Promise.all([open.untilHealthy(), limited.untilHealthy()]);
  const own = results.of('client');
  const answered = { floor: open, gateway: limited };
  await warmUp(answered, plan, own);
  // Two processes of one program never cost the same, so the blocks are short, and each round has other processes.
  const short = { ...plan, blocks: 20 * plan.blocks, requestsPerBlock: plan.requestsPerBlock / 20 };
  await measureRequests(answered, short, own);
  await Promise.all([open.stop(), limited.stop()]);
}
