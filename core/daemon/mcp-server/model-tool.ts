import { z } from 'zod';
import { unknownProvider } from '../../config/did-you-mean';
import type { ModelsReport } from '../../devices/describe-models';
import type { ProviderReport } from '../../devices/describe-device';
import { defined } from '../../fields';
import type { McpHost } from './mcp-host';
import { toResult, type ToolResult } from './tool-result';
import type { ToolTable } from './tool-table';

const ROW = z.object({
  name: z.string().describe('Goes into `model` of the tool `ask`.'),
  driver: z.string(),
  status: z.enum(['healthy', 'offline', 'unchecked']),
  defaultModel: z.string().optional(),
  models: z.array(z.string()).optional().describe('Each is asked for as NAME:MODEL.'),
  targets: z.array(z.string()).optional().describe('Of a route: who may answer.'),
  reason: z.string().optional(),
});

/** `models`: who can be asked. */
export function addModelTool(tools: ToolTable, host: McpHost): void {
  tools.add(
    'models',
    {
      title: 'List models',
      description: 'Lists the providers and routes of Drivebay, and the models that each provider offers.',
      inputSchema: { provider: z.string().optional().describe('Only this one.') },
      outputSchema: { default: z.string().optional(), providers: z.array(ROW) },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ provider }) => listModels(host, provider),
  );
}

async function listModels(host: McpHost, only: string | undefined): Promise<ToolResult> {
  const { client, project } = await host.open();
  const allowed = host.allowed();
  const isAllowed = ({ name }: { name: string }) => !allowed || allowed.llm(name) !== undefined;
  const names = project.providers.filter(isAllowed).map(({ name }) => name);
  if (only !== undefined && !names.includes(only)) throw unknownProvider(only, names);
  const query = { ...host.ref() };
  const [{ providers }, lists] = await Promise.all([
    client.call<{ providers: ProviderReport[] }>('GET', '/v1/providers', { query: { ...query, check: true } }),
    client.call<{ providers: ModelsReport[] }>('GET', '/v1/models', { query: { ...query, provider: only } }),
  ]);
  const asked = providers.filter((each) => isAllowed(each) && (only === undefined || each.name === only));
  const rows = asked.map(({ name, driverAlias, status, model, route, reason, hint }) => {
    const offered = lists.providers.find(({ provider }) => provider === name)?.models.map((each) => each.name);
    const only = allowed?.modelsOf({ name });
    const models = only ? [...only] : route ? undefined : offered;
    const defaultModel = model !== null && (!only || only.has(model)) ? model : undefined;
    const facts = { name, driver: driverAlias, status, defaultModel, models };
    // A client with a list of what is allowed does not learn who is behind a route.
    if (allowed && route) return defined(facts);
    const targets = route?.targets.map((target) => [target.name, target.model].filter(Boolean).join(':'));
    const why = reason === null ? undefined : [reason, hint].filter(Boolean).join('; ');
    return defined({ ...facts, targets, reason: why });
  });
  const standard = names.find((name) => name === project.defaultProvider);
  const lines = rows.map((row) => lineOf(row, row.name === standard));
  const none = 'no provider is configured; to add one, on a terminal: drivebay providers add <driver>';
  return toResult(lines.join('\n') || none, defined({ default: standard, providers: rows }));
}

/** A backend may offer hundreds of models. */
const MOST_SHOWN = 20;

function lineOf(
  { name, status, defaultModel, models = [], targets, reason }: z.output<typeof ROW>,
  isDefault: boolean,
) {
  const shown = models.slice(0, MOST_SHOWN).join(', ') + (models.length > MOST_SHOWN ? ', ...' : '');
  const about = targets
    ? `route over ${targets.join(', ')}`
    : [defaultModel, shown && `models: ${shown}`].filter(Boolean).join('; ');
  return `${name}${isDefault ? ' (default)' : ''}: ${[status, reason, about].filter(Boolean).join('; ')}`;
}
