import { formatTime } from '../../contract/wall-clock';
import type { AnswerView, AskView, ContentView, ExchangeView } from '../../record/exchange-view';
import { countOf, formatCost, formatCount, formatDuration } from '../terminal/format';
import { formatFacts, formatTable, printNote, printReport, toLine } from '../terminal/print';
import { printable } from '../../log/printable';
import { readExchange, stageOf, whoOf } from './exchanges';

const HEADS = ['Attempt', 'Driver', 'Model', 'Queued', 'Asked', 'First', 'Ended', 'Outcome'];

/** `debug show`: one request, from its arrival to its end. */
export async function debugShow(
  id: string,
  { withContent, json }: { withContent?: boolean; json?: boolean },
): Promise<void> {
  const exchange = await readExchange(id, withContent);
  printReport(json, exchange, () => describe(exchange));
  if (exchange.contentGone) printNote(WHY_GONE);
  else if (!json && !withContent) printNote('to see prompt, answer and messages of failures, add --with-content');
}

export const WHY_GONE =
  'prompt and answer are not there any more: the recorder keeps 4 MB of one request, and 16 MB of all';

function describe(exchange: ExchangeView): string {
  const { attempts, content } = exchange;
  const parts = [formatFacts(factsOf(exchange))];
  if (attempts.length > 0) parts.push(formatTable(HEADS, attempts.map(toRow)));
  const messages = attempts.flatMap(({ provider, message }) => (message ? [`${provider}: ${message}`] : []));
  if (messages.length > 0) parts.push(messages.map(printable).join('\n'));
  if (content) parts.push(describeContent(content));
  return parts.join('\n\n');
}

function factsOf(exchange: ExchangeView): [string, string][] {
  const { id, kind, path, arrivedAt, state, status, ms, readMs, requestBytes, overheadMs, usage } = exchange;
  const { client, agent, model, stream, finish, warm, error, costUsd = 0, nominalUsd } = exchange;
  const facts: [string, string | undefined][] = [
    ['id', id],
    ['arrived', formatTime(arrivedAt)],
    ['request', `POST ${path} (${kind}${stream ? ', streamed' : ''}), ${formatCount(requestBytes)} bytes`],
    ['client', [client, agent].filter((text) => text !== undefined).join(', ')],
    ['model', model],
    ['provider', whoOf(exchange)],
    ['status', state === 'running' ? `running for ${formatDuration(ms)}` : String(status)],
    ['body read', readMs === undefined ? undefined : `after ${formatDuration(readMs)}`],
    ['ended', state === 'running' ? undefined : `after ${formatDuration(ms)}`],
    ['own work', overheadMs === undefined ? undefined : `${overheadMs} ms`],
    ['tokens', usage && `${formatCount(usage.inputTokens)} in, ${formatCount(usage.outputTokens)} out`],
    ['cost', formatCost(costUsd, nominalUsd)],
    ['finish', finish],
    ['warm', warm],
    ['error', error],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1])).map(([name, text]) => [name, toLine(text)]);
}

function toRow(ask: AskView): string[] {
  const { provider, driver = '', model = '', queuedMs, askedMs, firstMs, endedMs } = ask;
  const times = [queuedMs, askedMs, firstMs, endedMs].map((ms) => (ms === undefined ? '' : formatDuration(ms)));
  return [provider, driver, model, ...times, stageOf(ask)];
}

function describeContent({ request, answer }: ContentView): string {
  const body = typeof request === 'string' ? request : JSON.stringify(request, undefined, 2);
  return [`request:\n${printableLines(body ?? '')}`, `answer:\n${describeAnswer(answer)}`].join('\n\n');
}

/** Reasoning, text and tool calls, in this order. */
export function describeAnswer({ text, reasoning, toolCalls = [], pieces }: AnswerView): string {
  const parts = [
    reasoning && `(reasoning) ${reasoning}`,
    text,
    ...toolCalls.map((call) => `(tool call) ${call.name} ${call.arguments}`),
    `(${countOf(pieces, 'piece')} of text)`,
  ];
  return printableLines(parts.filter(Boolean).join('\n'));
}

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
