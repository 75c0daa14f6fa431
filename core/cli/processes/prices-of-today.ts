import { ConfigError, formatProblem, type Problem } from '../../errors';
import type { Prices } from '../../prices/prices';
import type { TurnPrice } from '../../record/price-overlay';
import type { KeepReason, UsedTurn } from '../../record/reprice';
import { openProjectHere } from '../open-project';
import { printNote, printWarnings } from '../terminal/print';

type ProviderPrices = ReadonlyMap<string, Prices>;

/** Prices turns by the current configuration: the user's own, and that of the project in which a turn was. */
export function pricesOfToday(): (turn: UsedTurn) => Promise<TurnPrice | KeepReason> {
  const projects = new Map<string | null, Promise<ProviderPrices>>();
  const told = new Set<string>();
  return async ({ project, provider, model, asked, usage, nominalUsd: booked }) => {
    const opened = projects.get(project) ?? open(project, told);
    projects.set(project, opened);
    const prices = (await opened).get(provider);
    if (!prices) return 'no_provider';
    const cost = prices.costOf({ ...usage, nominal: booked !== undefined }, [model ?? undefined, asked]);
    const { costUsd, nominalUsd, priced } = cost;
    return priced === undefined ? 'no_price' : { costUsd, nominalUsd, priced };
  };
}

/** `told`: the warnings that the user has seen. Those of the user's own file come with each project. */
async function open(root: string | null, told: Set<string>): Promise<ProviderPrices> {
  const prices = new Map<string, Prices>();
  const project = root === null ? openProjectHere({ useProject: false }).project : openOther(root);
  if (!project) return prices;
  const isNew = (warning: Problem) => told.size < told.add(formatProblem(warning)).size;
  printWarnings(project.warnings.filter(isNew));
  // Where the folder is no project any more, that of a folder above it is found.
  const made = project.root === (root ?? undefined) ? project.made.providers : [];
  for (const [name, { device: provider }] of made) {
    await provider.prices.reading;
    prices.set(name, provider.prices);
  }
  await project.close();
  return prices;
}

/** Undefined where its configuration cannot be used. */
function openOther(root: string) {
  try {
    return openProjectHere({ useProject: true, folder: root }).project;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printNote(`warning: the turns of ${root} keep their prices, because its configuration cannot be used`);
    for (const problem of error.problems) printNote(`  ${formatProblem(problem)}`);
    return undefined;
  }
}
