import { z } from 'zod';
import { HttpPool } from '../../http/http-pool';
import { isFields } from '../../fields';
import { productName } from '../../package';
import type { DetectedPort, ModelListPlace } from '../../plugins/detect';
import type { Manifest } from '../../plugins/manifest';
import type { Sighting } from './sighting';

/** A server on the same machine answers at once, or is too busy to be asked. */
const LIMIT_MS = 1_500;
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** Asks a loopback port who it is, and which model it has loaded. */
export async function findServer(item: DetectedPort, manifest: Manifest): Promise<Sighting> {
  const { port, path, answer, models, start, load, provider } = item;
  const sighting: Sighting = { sort: 'server', manifest, provider, ...(start !== undefined && { get: start }) };
  const http = new HttpPool();
  const ask = (at: string) => getJson(http, `http://127.0.0.1:${port}${at}`);
  try {
    if (!fits(answer, await ask(path))) return sighting;
    const found: Sighting = { ...sighting, where: `http://127.0.0.1:${port}` };
    if (provider.default_model !== undefined || models.length === 0) return found;
    for (const place of models) {
      const [name] = namesIn(await ask(place.path), place);
      if (name !== undefined) return { ...found, provider: { ...provider, default_model: name } };
    }
    return { ...found, lacks: `it has no model${load === undefined ? '' : `; run: ${load}`}` };
  } finally {
    await http.close();
  }
}

/** Undefined where nobody answers, or no JSON. Our own gateways are no backends of each other by accident. */
async function getJson(http: HttpPool, url: string): Promise<unknown> {
  try {
    const response = await http.request(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const isUsable = response.status === 200 && !response.headers.server?.startsWith(`${productName}/`);
    if (isUsable) return JSON.parse(await response.text(LARGEST_ANSWER));
    response.discard();
  } catch {
    // Whoever does not speak HTTP and JSON is somebody else.
  }
  return undefined;
}

function namesIn(answer: unknown, { list, name, only }: ModelListPlace): string[] {
  const items = isFields(answer) ? answer[list] : undefined;
  if (!Array.isArray(items)) return [];
  return items
    .filter((item) => isFields(item) && (only === undefined || fits(only, item)))
    .map((item) => (item as Record<string, unknown>)[name])
    .filter((text) => typeof text === 'string' && text !== '') as string[];
}

function fits(schema: Record<string, unknown>, value: unknown): boolean {
  return value !== undefined && z.fromJSONSchema(schema).safeParse(value).success;
}
