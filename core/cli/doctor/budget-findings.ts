import type { Project } from '../../daemon/project/project';
import type { Provider } from '../../providers/provider';
import { type DoctorFinding, finding } from './finding';

/** The providers whose turns a budget does not count, unless their backend tells what a turn costs. */
export async function budgetFindings({ made, entries, clients = [] }: Project): Promise<DoctorFinding[]> {
  const client = clients.find(({ limits }) => limits.budget_usd);
  const capped = new Set(entries.flatMap(({ name, fields }) => (fields.entries.has('budget_usd') ? [name] : [])));
  const findings: DoctorFinding[] = [];
  for (const { device: provider } of made.providers.values()) {
    const owner = capped.has(provider.name) ? `provider "${provider.name}"` : client && `client "${client.name}"`;
    if (owner === undefined) continue;
    await provider.prices.reading;
    const models = unpricedModels(provider);
    if (models.length > 0) findings.push({ provider: provider.name, ...explain(owner, models) });
  }
  return findings;
}

/** Programs tell what a turn costs, or a subscription pays. */
function unpricedModels({ driverKind, defaultModel, embeddingModel, prices }: Provider): string[] {
  if (driverKind !== 'http') return [];
  const usage = { inputTokens: 1, outputTokens: 1 };
  return [defaultModel, embeddingModel].filter(
    (model) => model !== undefined && prices.costOf(usage, [model]).priced === undefined,
  ) as string[];
}

function explain(owner: string, models: readonly string[]): DoctorFinding {
  const message =
    `no price of ${models.join(' and ')} is known here: ` +
    `if the backend does not tell what a turn costs, it spends nothing of the budget of ${owner}`;
  return finding('budget', 'warning', message, 'add price_table to providers.yaml; `drivebay docs costs` says how');
}
