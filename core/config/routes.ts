import { formatPosition, type Position, type Problem } from '../errors';
import { describeFound, quote, YAML_WORDS } from './describe-found';
import { suggestTarget } from './did-you-mean';
import { findCircles } from './find-circles';
import { nodeAt } from './located';
import type { Entry } from './merge';
import { validate } from './problems';
import { routeSchema } from './route-schema';

export interface TargetEntry {
  /** Of a provider, or of a route without a star. */
  name: string;
  /** Absent: the model that is asked for, else the default of the provider. */
  model?: string;
  weight: number;
}

/** An entry of `routes` without mistakes. */
export interface RouteEntry {
  name: string;
  targets: TargetEntry[];
  order: 'sequence' | 'spread';
  timeoutSec: number;
  place: Position;
}

interface Checked {
  routes: RouteEntry[];
  problems: Problem[];
  warnings: Problem[];
}

/** How many providers the routes in a route may come to: each may name another one more than once. */
const MOST_TARGETS = 1_000;

/** Without patterns: those are no targets. */
type RoutesByName = ReadonlyMap<string, RouteEntry>;

/** Whether the name of a route stands for many names. */
export function isPattern(name: string): boolean {
  return name.includes('*');
}

/**
 * Checks the routes of both files after the merge. `providers` are their names, each with its place where that is known;
 * undefined when some names cannot be read: then an unknown target is no mistake yet.
 */
export function checkRoutes(
  entries: readonly Entry[],
  providers: ReadonlyMap<string, Position | undefined>,
  isComplete: boolean,
): Checked {
  const checked: Checked = { routes: [], problems: [], warnings: [] };
  const exact = entries.map(({ name }) => name).filter((name) => !isPattern(name));
  const known = [...providers.keys(), ...exact];
  for (const entry of entries) {
    const { name, fields, path } = entry;
    const place = fields.entries.get('name')?.place ?? fields.place;
    if (providers.has(name)) checked.problems.push(explainTaken(entry, place, providers.get(name)));
    const { value, problems, warnings } = validate(routeSchema, fields, path);
    checked.problems.push(...problems);
    checked.warnings.push(...warnings);
    if (!value) continue;
    const targets = value.targets.map((target) => readTarget(target));
    for (const [index, target] of targets.entries()) {
      if (!isComplete || known.includes(target.name)) continue;
      checked.problems.push(explainUnknown(entry, index, target.name, known));
    }
    checked.routes.push({ name, targets, order: value.order, timeoutSec: value.timeout_sec, place });
  }
  const exactRoutes = new Map(
    checked.routes.filter(({ name }) => !isPattern(name)).map((route) => [route.name, route]),
  );
  const circles = explainCircles(entries, checked.routes, exactRoutes);
  checked.problems.push(...(circles.length > 0 ? circles : findFlood(entries, checked.routes, exactRoutes)));
  return checked;
}

/** `NAME` or `NAME:MODEL`, as requests to the gateway write it. */
function readTarget(given: string | { target: string; weight: number }): TargetEntry {
  const { target, weight } = typeof given === 'string' ? { target: given, weight: 1 } : given;
  const colon = target.indexOf(':');
  const model = colon < 0 ? '' : target.slice(colon + 1);
  return { name: colon < 0 ? target : target.slice(0, colon), ...(model && { model }), weight };
}

function explainTaken({ path, name }: Entry, place: Position, first: Position | undefined): Problem {
  const where = first ? ` at ${formatPosition(first)}` : '';
  return {
    message: `${path}.name: found the text ${quote(name)}, expected a name that no provider has (it is one${where})`,
    place,
  };
}

function explainUnknown({ path, fields }: Entry, index: number, name: string, known: string[]): Problem {
  const node = nodeAt(fields, ['targets', index]);
  const place = (node && nodeAt(node, ['target']))?.place ?? node?.place ?? fields.place;
  const shown = describeFound(name, YAML_WORDS);
  const message = `${path}.targets[${index}]: found ${shown}, expected the name of a provider or of a route without a star`;
  return { message, place, hint: suggestTarget(name, known) };
}

/** The first route that comes to more targets than a request could ever be sent to. */
function findFlood(entries: readonly Entry[], routes: readonly RouteEntry[], byName: RoutesByName): Problem[] {
  const counts = new Map<RouteEntry, number>();
  const countOf = (route: RouteEntry): number => {
    const known = counts.get(route);
    if (known !== undefined) return known;
    const each = route.targets.map(({ name }) => (byName.has(name) ? countOf(byName.get(name)!) : 1));
    const count = each.reduce((sum, one) => sum + one, 0);
    counts.set(route, count);
    return count;
  };
  const flood = routes.find((route) => countOf(route) > MOST_TARGETS);
  if (!flood) return [];
  const path = entries.find(({ name }) => name === flood.name)!.path;
  const message = `${path}.targets: found ${countOf(flood)} targets with those of the routes in it, expected at most ${MOST_TARGETS}`;
  return [{ message, place: flood.place }];
}

/** One problem for each circle, at the route of it that comes first. */
function explainCircles(entries: readonly Entry[], routes: readonly RouteEntry[], byName: RoutesByName): Problem[] {
  const circles = findCircles(routes, ({ targets }) => targets.flatMap(({ name }) => byName.get(name) ?? []));
  return circles.map((circle) => {
    const [{ name, place }] = circle as [RouteEntry];
    const path = entries.find((entry) => entry.name === name)!.path;
    const way = circle.map((route) => route.name).join(' -> ');
    return { message: `${path}.targets: found a circle (${way}), expected targets that end at providers`, place };
  });
}
