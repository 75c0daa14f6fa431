import type { RunningGateway } from '../../../setup/running-gateway';
import type { Step } from '../../scripted-driver';
import { events, type Json } from '../../wire';

/** Posts a request of this wire. The driver plays the script. */
export function respond(
  { url }: RunningGateway,
  script: Step[],
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'main', input: 'Hi', script, ...fields }),
  });
}

/** The events of a streamed answer, after checking what holds for every stream. */
export async function streamed(answer: Response | Promise<Response>): Promise<Json[]> {
  const text = await (await answer).text();
  const found = events(text.replace(/^event: .*\n/gm, ''));
  expect(text.match(/^event: .*$/gm)).toEqual(found.map(({ type }) => `event: ${type}`));
  expect(found.map(({ sequence_number: number }) => number)).toEqual(found.map((_, index) => index));
  return found;
}

/** The types of events, without those that stand around every answer. */
export function inner(found: Json[]): string[] {
  expect(found.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  return found.slice(2, -1).map(({ type }) => String(type).replace(/^response\./, ''));
}

/** The response at the end of a stream. */
export function last(found: Json[]): Json {
  return found.at(-1)!.response as Json;
}
