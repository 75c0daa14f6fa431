import { AnswerFold } from '../contract/answer-fold';
import type { ToolCallPart } from '../contract/api';
import { defined, parseJson } from '../fields';
import type { Ask, Exchange } from './exchange';
import { pickUsage, type StepUsage } from './usage';

/** Clients may send any text as a model. */
const MODEL_LENGTH = 200;

/** An exchange for people and bug reports. Times are in ms since `arrivedAt`. */
export interface ExchangeView {
  id: string;
  kind: string;
  dialect: string;
  path: string;
  client?: string;
  /** The `user-agent` of the client. */
  agent?: string;
  state: 'running' | 'ended';
  arrivedAt: number;
  /** As the client named it. */
  model?: string;
  stream: boolean;
  requestBytes: number;
  readMs?: number;
  attempts: AskView[];
  provider?: string;
  route?: string;
  status?: number;
  /** Until the answer was complete; of one that runs, until now. */
  ms: number;
  overheadMs?: number;
  usage?: StepUsage;
  costUsd?: number;
  nominalUsd?: number;
  warm?: string;
  finish?: string;
  /** Absent without `--with-content`: messages quote prompts. */
  error?: string;
  content?: ContentView;
  /** Why there is no content, where it was asked for. */
  contentGone?: true;
}

export interface AskView {
  provider: string;
  driver?: string;
  model?: string;
  queuedMs?: number;
  askedMs?: number;
  firstMs?: number;
  endedMs?: number;
  /** The kind of the failure, as in the errors of the gateway. */
  failure?: string;
  message?: string;
}

export interface ContentView {
  /** The body: a text where it is no JSON. */
  request: unknown;
  answer: AnswerView;
}

/** An answer in the words of no wire. `pieces` is how many texts it came in. */
export interface AnswerView {
  text: string;
  reasoning?: string;
  toolCalls?: ToolCallPart[];
  finish?: string;
  pieces: number;
}

/** Nothing of it is redacted yet. */
export function viewExchange(exchange: Exchange, withContent: boolean): ExchangeView {
  const { head, end, content, asks } = exchange;
  const { used, error } = end ?? {};
  return defined({
    id: head.id,
    kind: head.kind,
    dialect: head.dialect,
    path: head.path,
    client: head.client,
    agent: head.agent,
    state: end ? 'ended' : 'running',
    arrivedAt: head.arrivedAt,
    model: exchange.model?.slice(0, MODEL_LENGTH),
    stream: exchange.isStream,
    requestBytes: exchange.requestBytes,
    readMs: since(exchange.readAt, head),
    attempts: asks.map((ask) => viewAsk(ask, head, withContent)),
    provider: end?.provider ?? asks.at(-1)?.provider,
    route: end?.route,
    status: end?.status,
    ms: end?.ms ?? Math.round(performance.now() - head.startedMs),
    overheadMs: end?.overheadMs,
    usage: used?.usage && pickUsage(used.usage),
    costUsd: used?.costUsd || undefined,
    nominalUsd: used?.nominalUsd || undefined,
    warm: used?.warm,
    finish: content?.events.findLast((event) => event.type === 'finish')?.reason,
    error: withContent ? error : undefined,
    content: withContent && content ? viewContent(content) : undefined,
    contentGone: withContent && !content ? true : undefined,
  });
}

export function viewAnswer({ events }: Pick<NonNullable<Exchange['content']>, 'events'>): AnswerView {
  const fold = new AnswerFold();
  // The other choices of a request for several are asked for the same.
  for (const event of events) if (!('choice' in event) || !event.choice) fold.add(event);
  const calls = fold.toolCalls((index) => `call_${index}`);
  return defined({
    text: fold.text,
    reasoning: fold.reasoning || undefined,
    toolCalls: calls.length > 0 ? calls : undefined,
    finish: fold.finish,
    pieces: events.filter(({ type }) => type === 'text').length,
  });
}

function viewContent(content: NonNullable<Exchange['content']>): ContentView {
  const body = content.body?.toString();
  return { request: body && parseJson(body, body), answer: viewAnswer(content) };
}

function viewAsk(ask: Ask, head: Exchange['head'], withContent: boolean): AskView {
  const { provider, driver, model, failure } = ask;
  return defined({
    provider,
    driver,
    model: model?.slice(0, MODEL_LENGTH),
    queuedMs: since(ask.queuedAt, head),
    askedMs: since(ask.askedAt, head),
    firstMs: since(ask.firstAt, head),
    endedMs: since(ask.endedAt, head),
    failure: failure?.kind,
    message: withContent ? failure?.message : undefined,
  });
}

/** In ms, to a tenth. */
function since(at: number | undefined, { startedMs }: Exchange['head']): number | undefined {
  return at === undefined ? undefined : Math.round((at - startedMs) * 10) / 10;
}
