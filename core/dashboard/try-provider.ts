import { z } from 'zod';
import { nameOrHidden } from '../contract/secrets';
import type { LlmDevice } from '../devices/device';
import { chatDirectly } from '../devices/direct-chat';
import { isKeyForModel } from '../devices/key-for-model';
import type { Request, Response } from '../serving/create-app';
import { HttpError } from '../serving/http-error';
import { readBody } from '../serving/read-body';
import { untilDrained } from '../serving/send';
import type { DashboardHost } from './dashboard-host';
import type { TryLine } from './protocol';

const BODY_LIMIT = 1024 * 1024;

const trySchema = z.object({
  project: z.string().nullable(),
  provider: z.string(),
  /** Absent: the default of the provider. */
  model: z.string().max(200).optional(),
  prompt: z.string().min(1),
});

/** Asks a provider, and sends its answer as lines of JSON. */
export async function tryProvider(host: DashboardHost, request: Request, response: Response, gone: AbortSignal) {
  const { project, provider, model, prompt } = parse(await readBody(request, BODY_LIMIT));
  const device = await deviceOf(host, project, provider);
  if (isKeyForModel(model ?? '', { llms: () => [device], byPattern: () => undefined }))
    throw new HttpError(400, 'invalid_request', `provider "${provider}" has no model ${nameOrHidden(model!)}`);
  const write = (line: TryLine) => {
    response.write(`${JSON.stringify(line)}\n`);
    return response.writableNeedDrain ? untilDrained(response, gone) : undefined;
  };
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  await chatDirectly({
    device,
    messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }],
    model,
    asker: { type: 'dashboard' },
    project: project ?? undefined,
    stream: host.stream,
    gone,
    write,
  });
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
