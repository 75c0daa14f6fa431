import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isDriverError } from '../contract/driver-error';
import type { LlmDevice } from '../devices/device';
import { messageOf } from '../errors';
import { defined } from '../fields';
import { CallAborted } from '../providers/call-clock';
import type { Caller, Used } from '../providers/caller';
import { QueueFullError } from '../providers/slots';
import type { RequestEvent } from '../record/live-event';
import { pickUsage } from '../record/usage';
import type { Request, Response } from '../serving/create-app';
import { HttpError } from '../serving/http-error';
import { readBody, requireJson } from '../serving/read-body';
import { untilDrained } from '../serving/send';
import type { DashboardHost } from './dashboard-host';
import type { TryLine } from './protocol';

const BODY_LIMIT = 1024 * 1024;
/** The statuses in records, as for a client of a gateway: the page left before the end, and any other failure. */
const CLIENT_GONE = 499;
const FAILED = 502;

const trySchema = z.object({
  project: z.string().nullable(),
  provider: z.string(),
  /** Absent: the default of the provider. */
  model: z.string().max(200).optional(),
  prompt: z.string().min(1),
});

/**
 * Asks a provider, and sends its answer as lines of JSON. To drivers, ledger and events it is a request as those at the
 * gateways are: in the same queue, and without a folder for a program to work in.
 */
export async function tryProvider(host: DashboardHost, request: Request, response: Response, gone: AbortSignal) {
  requireJson(request);
  const { project, provider, model, prompt } = parse(await readBody(request, BODY_LIMIT));
  const device = await deviceOf(host, project, provider);
  const id = `try_${randomUUID().slice(0, 13)}`;
  const publish = (event: RequestEvent) =>
    void host.stream.publish({ project: project ?? undefined, kind: 'request', request: id, event });
  const write = (line: TryLine) => {
    response.write(`${JSON.stringify(line)}\n`);
    return response.writableNeedDrain ? untilDrained(response, gone) : undefined;
  };
  const abort = new AbortController();
  const stop = () => abort.abort(new CallAborted('client_gone', 'the page stopped the answer'));
  gone.addEventListener('abort', stop);
  if (gone.aborted) stop();
  let failed: Used | undefined;
  const caller: Caller = {
    id,
    asker: { type: 'dashboard' },
    abort,
    arrivedAt: Date.now(),
    onFailure: (used) => (failed = used),
  };
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: prompt }] }];
  const chat = defined({ model, messages, stream: true, extra: {} });
  const startedAt = performance.now();
  const end = ({ usage, costUsd, firstMs }: Partial<Used>) =>
    defined({
      ms: Math.round(performance.now() - startedAt),
      firstMs,
      usage: usage && pickUsage(usage),
      costUsd: costUsd || undefined,
    });
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  publish({ type: 'start', provider, model: model ?? device.defaultModel, stream: true });
  try {
    const used = await device.chat(chat, caller, (event) =>
      event.type === 'text' || event.type === 'reasoning' ? write({ type: event.type, text: event.text }) : undefined,
    );
    publish({ type: 'end', provider, status: 200, ...end(used) });
    void write({ type: 'end', model: used.model, ...end(used) });
  } catch (error) {
    if (!isDriverError(error) && !(error instanceof QueueFullError)) throw error;
    const message = messageOf(error);
    publish({
      type: 'end',
      provider,
      status: gone.aborted ? CLIENT_GONE : FAILED,
      ...end(failed ?? {}),
      error: message,
    });
    void write({ type: 'error', message, hint: isDriverError(error) ? error.hint : undefined });
  }
  response.end();
}

function parse(body: Buffer): z.infer<typeof trySchema> {
  try {
    return trySchema.parse(JSON.parse(body.toString()));
  } catch {
    throw new HttpError(400, 'invalid_request', 'the body needs a project, a provider and a prompt');
  }
}

/** The provider of a project; null: outside of one. */
export async function deviceOf(host: DashboardHost, project: string | null, name: string): Promise<LlmDevice> {
  const found = (await host.providers()).find((each) => each.project === project && each.device.name === name);
  if (!found) throw new HttpError(400, 'invalid_request', `there is no provider "${name}" in this project`);
  return found.device;
}
