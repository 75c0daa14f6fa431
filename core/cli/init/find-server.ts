import { isFields } from '../../fields';
import type { DetectedPort, ModelListPlace } from '../../plugins/detect';
import type { Manifest } from '../../plugins/manifest';
import { fits } from '../../plugins/zod-of';
import { askPort, isOurs } from '../serve/port-owner';
import type { Sighting } from './sighting';

/** A server on this machine answers at once, or it is too busy to use. */
const LIMIT_MS = 1_500;

/** Asks a loopback port which server it is, and which model the server has loaded. */
export async function findServer(item: DetectedPort, manifest: Manifest): Promise<Sighting> {
  const { port, path, answer, models, start: get, load, provider } = item;
  const sighting: Sighting = { sort: 'server', manifest, provider, get };
  if (!fits(answer, await getJson(port, path))) return sighting;
  const found: Sighting = { ...sighting, where: `http://127.0.0.1:${port}` };
  if (provider.default_model !== undefined || models.length === 0) return found;
  for (const place of models) {
    const [name] = namesIn(await getJson(port, place.path), place);
    if (name !== undefined) return { ...found, provider: { ...provider, default_model: name } };
  }
  return { ...found, lacks: `it has no model${load === undefined ? '' : `; run: ${load}`}` };
}

/** Undefined where there is no JSON to have. Our own gateways do not count as backends. */
async function getJson(port: number, path: string): Promise<unknown> {
  try {
    const answer = await askPort(port, path, LIMIT_MS);
    return answer.status === 200 && !isOurs(answer) ? JSON.parse(answer.text) : undefined;
  } catch {
    // A program that does not speak HTTP and JSON is not the server.
    return undefined;
  }
}

function namesIn(answer: unknown, { list, name, only }: ModelListPlace): string[] {
  const items = isFields(answer) ? answer[list] : undefined;
  if (!Array.isArray(items)) return [];
  return items
    .filter((item) => isFields(item) && (only === undefined || fits(only, item)))
    .map((item) => (item as Record<string, unknown>)[name])
    .filter((text) => typeof text === 'string' && text !== '') as string[];
}
