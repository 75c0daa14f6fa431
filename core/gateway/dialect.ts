import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ChatRequest } from '../contract/api';
import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';
import type { Quotas } from '../limits/quota';
import type { Caller, Used } from '../providers/caller';
import type { OwnTime } from '../record/own-time';
import type { AppRoute } from '../serving/create-app';
import type { HttpError } from '../serving/http-error';
import type { Carriers } from './carriers';
import type { FurtherModel } from './further-models';
import type { ModelsForm } from './models-form';
import type { ModelRoute } from './route-model';

/**
 * One wire form at the door: what the clients of one API send and get. The life cycle of a request (life-cycle.ts)
 * knows no wire. It asks the dialect of a path at each step:
 *
 *     arrive     `calls`: which paths take calls, and `headers.id`
 *     identify   `headers.key`: where the gateway's key may be
 *     parse      `bodyLimit`, then `parse` of the call
 *     route      `route`: from the name of a model to a device
 *     run        `run` of the call: asks the device and sends the answer
 *     fail       `spellError`, at any step; `fail` of the call once the head of the answer is out
 *
 * To add one, write a folder beside `chat-completions/` and name it in dialects/dialects.ts. docs/openapi.json describes its wire.
 */
export interface Dialect {
  /** The name in the documentation, also of the folder. */
  readonly name: string;
  readonly calls: readonly CallForm[];
  /** The longest body of a call, in bytes. */
  readonly bodyLimit: number;
  /** Names of headers, in lower case. */
  readonly headers: {
    /** Of a request: the gateway's key, besides `authorization: Bearer <key>`. */
    readonly key: readonly string[];
    /** Of an answer: the id of the request, besides `x-request-id`. */
    readonly id: readonly string[];
    /** Of an answer: the headers that a web page may read, besides those of the gateway. */
    readonly exposed: readonly string[];
  };
  /**
   * How many seconds a client waits for an answer in one piece. The default time limit of a provider ends there, if it is
   * longer; a `timeout_sec` counts as it is.
   */
  readonly patienceS?: number;
  /**
   * Whether a request at a path of no dialect comes from a client of this one, by its headers or its query. Such a client
   * gets errors and the list of models in the form of this dialect. Absent: it cannot be told.
   */
  recognizes?(request: RequestHead): boolean;
  /** How it spells the list of models. Absent: as the first dialect. */
  readonly models?: ModelsForm;
  /** Finds the device for a call. Throws an HttpError `model_not_found`. */
  route(model: string, devices: DeviceTable, defaultProvider: string | undefined): ModelRoute;
  /**
   * Spells an error of any step of the life cycle: a CallError is the failure of a driver. Errors at the paths of
   * a dialect are its own, also below those paths, and so are those of the clients that it recognizes. The first dialect
   * of the gateway spells all the others.
   */
  spellError(error: HttpError, requestId?: string): SpelledError;
  /** The same for `serve --upstream-status`: the status is that of the failure's kind. Absent: it makes no difference. */
  spellUpstream?(error: HttpError): SpelledError;
  /** Adds the headers of an answer that say what is left of the limits of a minute. Absent: it has none. */
  spellQuotas?(quotas: Quotas, headers: Record<string, string>): void;
  /** What the dialect serves besides calls, such as `GET <path>/:id`. Loaded with Express. */
  loadRoutes?(): Promise<readonly AppRoute[]>;
}

/** One kind of call that a dialect takes: a POST with a JSON body. */
export interface CallForm {
  /** The message of the log line, such as `chat`. */
  readonly kind: string;
  /** Exact, and without a query. */
  readonly paths: readonly string[];
  /**
   * Reads a request. Throws an HttpError `invalid_request` that names the field at fault. `carriers` opens what an
   * earlier answer packed. `client`: who asks, as its entry names it; what is kept for one client is not for another one.
   */
  parse(body: Buffer, headers: IncomingHttpHeaders, carriers: Carriers, client: string | undefined): DialectCall;
}

/** A request that was read. For chats, StreamedChat and WholeChat implement this for every dialect. */
export interface DialectCall {
  /** The model as the client named it; an empty text where the wire lets a client name none. */
  readonly model: string;
  readonly isStream: boolean;
  /** It starts nothing and costs nothing: it waits for no other request of its client. */
  readonly isFree?: boolean;
  /** What the device is asked, until it runs; absent for calls that are no chats. */
  readonly chat?: ChatRequest;
  /**
   * For a client that may ask for single models: removes the fields that let a backend choose another one, and returns the
   * models that its tools are to ask. Absent: there are none.
   */
  keepToModel?(): readonly FurtherModel[];
  /** Asks the device and sends the whole answer. Sends no error: rejects with it instead. */
  run(context: CallContext): Promise<Used>;
  /** Answers where no device has the model. Absent: the error of routing is the answer. */
  runUnrouted?(context: UnroutedContext): Promise<Used>;
  /** Ends an answer that failed after its head was sent, or whose failure it takes. */
  fail(error: HttpError): void;
  /** Whether `fail` reports a failure before the head of the answer, and not an HTTP error. */
  takesFailure?(error: HttpError): boolean;
}

/** What every call can answer with. */
export interface UnroutedContext {
  response: ServerResponse;
  /** The headers that every answer to this request has. */
  headers: Record<string, string>;
  /** The head of the answer tells it; paused while a call waits for others. */
  own: OwnTime;
}

/** What a call is run with. */
export interface CallContext extends UnroutedContext {
  device: LlmDevice;
  /** Undefined: the default model of the provider. */
  model: string | undefined;
  caller: Caller;
  /** The calls of the gateway that are under way, this one among them. */
  running: readonly unknown[];
  /** Packs what the driver wants back with the next turn. */
  carriers: Carriers;
  /** Whether the client is not told which backend answers. */
  isVeiled: boolean;
}

/** What tells at which door a request has come. */
export type RequestHead = Pick<IncomingMessage, 'url' | 'headers'>;

export interface SpelledError {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: object;
}
