import { homedir } from 'node:os';
import { readClientKeys } from '../../config/client-keys';
import { pluginProblem, unusablePlugins } from '../../daemon/project/open-plugins';
import type { Project } from '../../daemon/project/project';
import type { ToolServer } from '../../devices/tool-server';
import { formatProblem, hintOf, messageOf, type Problem } from '../../errors';
import type { Provider } from '../../providers/provider';
import { shellWords } from '../../shell-words';
import { misplacedConfig } from '../config/misplaced-config';
import { workingDirectory } from '../here';
import { type DoctorFinding, finding } from './finding';

/** What the configuration says. Call it after the checks of the providers, which tell which plug-ins load. */
export function configFindings(project: Project): DoctorFinding[] {
  const { files, warnings, plugins } = project;
  const bad = unusablePlugins(plugins);
  const aboutPlugins = new Set(bad.map((plugin) => pluginProblem(plugin).message));
  const misplaced = misplacedConfig(workingDirectory(), project.paths);
  const others = [...project.takeNotices(), ...warnings, ...misplaced].filter(
    ({ message }) => !aboutPlugins.has(message),
  );
  const noFile = `no file at ${project.globalConfig}, so the built-in provider is used`;
  return [
    files.length > 0
      ? finding('config_files', 'ok', files.join(' and '))
      : finding('config_files', 'note', noFile, 'drivebay init'),
    ...others.map(({ hint, ...problem }) => finding('config_warning', 'warning', formatProblem(problem), hint)),
    defaultFinding(project),
    ...bad.map(({ directory, state, reason }) => {
      const fix =
        state === 'failed'
          ? shellWords(['drivebay', 'plugins', 'check', directory])
          : 'rename one of the two, or remove it';
      return finding('plugin', 'warning', `${directory} is ${state}: ${reason}`, fix);
    }),
  ];
}

/** The clients that no key opens the gateway for, as this terminal sees it. */
export function clientFindings({ clients: entries = [], environment }: Project): DoctorFinding[] {
  return readClientKeys({ entries, environment }).flatMap(({ fault }) =>
    fault ? [finding('client_key', 'warning', fault.message, fault.hint)] : [],
  );
}

/** Looks at the tool servers without starting one. */
export function serverFindings(servers: readonly ToolServer[]): Promise<DoctorFinding[]> {
  return Promise.all(
    servers.map(async (server) => {
      try {
        await server.reach(homedir());
        return finding('tool_server', 'ok', `${server.path}: ${server.target}`, undefined);
      } catch (error) {
        return finding('tool_server', 'broken', `${server.path}: ${messageOf(error)}`, hintOf(error));
      }
    }),
  );
}

/** The mistakes of a configuration that cannot be used. Nothing is known of its providers. */
export function invalidConfig(problems: readonly Problem[]): DoctorFinding[] {
  return problems.map(({ hint = 'drivebay config check', ...problem }) =>
    finding('config_invalid', 'broken', formatProblem(problem), hint),
  );
}

function defaultFinding({ defaultProvider, standard, devices, files, globalConfig }: Project): DoctorFinding {
  const [first] = devices.llms();
  if (first === undefined)
    return finding('default_provider', 'warning', 'no provider is configured', 'drivebay providers add <driver>');
  if (defaultProvider !== undefined) return finding('default_provider', 'ok', defaultProvider);
  const agents = standard ? `agents use the built-in provider ${standard.device.name}` : 'agents need --provider';
  const message = `none: a model name that no provider serves is answered with 404, and ${agents}`;
  return finding(
    'default_provider',
    'note',
    message,
    `add to ${files[0] ?? globalConfig}: default_provider: ${first.name}`,
  );
}

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
