import { randomUUID } from 'node:crypto';
import type { ChatEvent, ChatRequest, Message } from '../contract/api';
import { CallEnd } from '../contract/call-end';
import { isDriverError } from '../contract/driver-error';
import { hintOf, messageOf } from '../errors';
import { defined } from '../fields';
import { CallAborted, onAbort } from '../providers/call-clock';
import type { Used } from '../providers/caller';
import { isRefusal } from '../providers/refusal';
import { type Asker, clientOf } from '../record/ledger';
import type { EventStream } from '../record/event-stream';
import type { RequestEnd, RequestEvent } from '../record/live-event';
import { pickUsage } from '../record/usage';
import type { Attempt, DeviceCall, LlmDevice } from './device';
import { RouteFailure } from './route-failure';

/** The statuses in records, as for a client of a gateway: the user left before the end, and any other failure. */
const CLIENT_GONE = 499;
const FAILED = 502;

/** A piece of an answer for a user. The last one is an `end` or an `error`. */
export type DirectChatLine =
  | { type: 'text' | 'reasoning'; text: string }
  | Pick<RequestEnd, 'type' | 'provider' | 'ms' | 'firstMs' | 'usage' | 'costUsd' | 'nominalUsd' | 'model'>
  | { type: 'error'; message: string; hint?: string };

interface DirectChat {
  device: LlmDevice;
  messages: Message[];
  /** What is asked besides, such as tools. */
  fields?: Omit<ChatRequest, 'messages' | 'model' | 'stream'>;
  /** Sees each event of the answer. */
  take?: (event: ChatEvent) => void;
  /** Absent: the default of the device. */
  model?: string;
  asker: Exclude<Asker, { type: 'gateway' | 'process' | 'server' }>;
  /** How many agents are between the user and this chat; absent: none. */
  depth?: number;
  /** The project root; absent outside of a project. */
  project?: string;
  stream: EventStream;
  /** Fires when the user wants no more of the answer. */
  gone: AbortSignal;
  /** A promise means: wait, the reader is slower than the driver. */
  write: (line: DirectChatLine) => Promise<void> | undefined;
}

/**
 * A chat with a user, without a gateway between. To drivers, ledger and events it is a request as those at the gateways are:
 * in the same queue, and without a folder for a program to work in.
 */
export async function chatDirectly(chat: DirectChat): Promise<void> {
  const { device, messages, model, asker, project, gone, write, fields, take } = chat;
  let provider = device.name;
  let attempts: readonly Attempt[] = [];
  const id = `${asker.type}_${randomUUID().slice(0, 13)}`;
  const publish = (event: RequestEvent) => void chat.stream.publish({ project, kind: 'request', request: id, event });
  let failed: Used | undefined;
  const caller: DeviceCall = {
    id,
    asker,
    abort: new CallEnd(),
    arrivedAt: Date.now(),
    depth: chat.depth,
    onFailure: (used) => (failed = used),
    onTarget: ({ name }, _model, before) => {
      provider = name;
      attempts = before;
    },
  };
  const forget = onAbort(gone, () => caller.abort.abort(new CallAborted('client_gone', 'the user stopped the answer')));
  const request = defined({ extra: {}, ...fields, model, messages, stream: true });
  const startedAt = performance.now();
  const end = ({ usage, costUsd, nominalUsd, firstMs }: Partial<Used>) =>
    defined({
      ms: Math.round(performance.now() - startedAt),
      firstMs,
      usage: usage && pickUsage(usage),
      costUsd: costUsd || undefined,
      nominalUsd: nominalUsd || undefined,
    });
  const asked = () =>
    defined({
      client,
      provider,
      route: device.route && device.name,
      booked: caller.isBooked,
      attempts: attempts.length > 0 ? [...attempts] : undefined,
    });
  const client = clientOf(asker);
  publish(defined({ type: 'start', client, provider, model: model ?? device.defaultModel, stream: true } as const));
  device.users.enter();
  try {
    const used = await device.chat(request, caller, (event) => {
      take?.(event);
      return event.type === 'text' || event.type === 'reasoning'
        ? write({ type: event.type, text: event.text })
        : undefined;
    });
    publish({ type: 'end', ...asked(), status: 200, ...end(used) });
    await write({ type: 'end', provider, model: used.model, ...end(used) });
  } catch (error) {
    if (!isDriverError(error) && !isRefusal(error)) throw error;
    const who = error instanceof RouteFailure ? `provider "${error.device.name}": ` : '';
    const message = who + messageOf(error);
    const status = gone.aborted ? CLIENT_GONE : FAILED;
    publish({ type: 'end', ...asked(), status, ...end(failed ?? {}), error: message });
    await write({ type: 'error', message, hint: hintOf(error) });
  } finally {
    device.users.leave();
    forget();
  }
}
