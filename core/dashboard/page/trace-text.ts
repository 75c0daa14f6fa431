import { formatCost, formatDuration, formatLength, formatShare, formatTokens, modelName } from './format';
import { type EventWords, wordsFor } from '../../record/event-words';
import type { ProcessEvent } from '../../record/process-event';
import { hitRateOf } from '../../record/usage';
import type { TraceRow } from './process-detail';

/** In characters. Longer than any line is wide. */
const LONGEST = 1_000;

/** A short description of an event, without its type. */
export function traceText({ event, pieces, characters }: TraceRow): string {
  if (event.type === 'text' || event.type === 'reasoning') {
    const length = formatLength(characters);
    return pieces.length === 1 ? length : `${length} in ${formatTokens(pieces.length)} pieces`;
  }
  return (wordsFor(WORDS, event) ?? '').slice(0, LONGEST);
}

/** The whole event, with the joined pieces of a text. */
export function wholeEvent({ event, pieces }: TraceRow): string {
  const whole = pieces.length > 1 ? { ...event, text: pieces.join('') } : event;
  return JSON.stringify(whole, null, 2);
}

const WORDS: EventWords = {
  created: ({ workingDirectory }) => workingDirectory,
  resolve: ({ provider, model, effort, decidedBy }) =>
    list(provider, model, effort && `effort ${effort}`, `by ${decidedBy.provider}`),
  running: () => 'a slot is free',
  step: ({ provider, model, call }) => list(modelName(provider, model), call && `for the call ${call}`),
  tool_call: ({ tool, arguments: given, refused }) =>
    `${tool} ${refused === undefined ? given : `refused: ${refused}`}`,
  tool_result: ({ isError, ms, text }) => `${isError ? 'failed · ' : ''}${formatDuration(ms)} · ${text}`,
  activity: ({ tool, detail }) => list(tool, detail),
  step_end: describeEnd,
  driver: ({ event, fields }) => `${event} ${fieldsText(fields)}`,
  log: ({ level, message, fields = {} }) => `${level} · ${message} ${fieldsText(fields)}`,
  metadata: ({ provider, values }) => `${provider} · ${fieldsText(values)}`,
  retry: ({ reason }) => reason,
  fallback: ({ from, to, reason }) => `${from} → ${to} · ${reason}`,
  notice: ({ message }) => message,
  exit: ({ state, reason, message }) => list(state, reason, message),
};

function describeEnd({
  ms,
  finish,
  usage,
  costUsd = 0,
  nominalUsd = 0,
}: Extract<ProcessEvent, { type: 'step_end' }>): string {
  const rate = usage && hitRateOf(usage);
  return list(
    finish,
    formatDuration(ms),
    usage && `${formatTokens(usage.inputTokens)} in, ${formatTokens(usage.outputTokens)} out`,
    rate !== undefined && `${formatShare(rate)} cached`,
    costUsd + nominalUsd > 0 && formatCost(costUsd, nominalUsd),
  );
}

function list(...parts: (string | number | false | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}

function fieldsText(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
