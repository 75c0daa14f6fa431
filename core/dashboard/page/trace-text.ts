import { formatCost, formatDuration, formatLength, formatShare, formatTokens, modelName } from './format';
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
  return describe(event).slice(0, LONGEST);
}

/** The whole event, with the joined pieces of a text. */
export function wholeEvent({ event, pieces }: TraceRow): string {
  const whole = pieces.length > 1 ? { ...event, text: pieces.join('') } : event;
  return JSON.stringify(whole, null, 2);
}

function describe(event: Exclude<ProcessEvent, { type: 'text' | 'reasoning' }>): string {
  switch (event.type) {
    case 'created':
      return event.workingDirectory;
    case 'resolve':
      return list(
        event.provider,
        event.model,
        event.effort && `effort ${event.effort}`,
        `by ${event.decidedBy.provider}`,
      );
    case 'running':
      return 'a slot is free';
    case 'step':
      return list(modelName(event.provider, event.model), event.call && `for the call ${event.call}`);
    case 'tool_call':
      return `${event.tool} ${event.refused === undefined ? event.arguments : `refused: ${event.refused}`}`;
    case 'tool_result':
      return `${event.isError ? 'failed · ' : ''}${formatDuration(event.ms)} · ${event.text}`;
    case 'activity':
      return list(event.tool, event.detail);
    case 'step_end':
      return describeEnd(event);
    case 'driver':
      return `${event.event} ${fieldsText(event.fields)}`;
    case 'log':
      return `${event.level} · ${event.message} ${fieldsText(event.fields ?? {})}`;
    case 'metadata':
      return `${event.provider} · ${fieldsText(event.values)}`;
    case 'retry':
      return event.reason;
    case 'fallback':
      return `${event.from} → ${event.to} · ${event.reason}`;
    case 'notice':
      return event.message;
    case 'exit':
      return list(event.state, event.reason, event.message);
    default:
      // An event of a newer daemon.
      return '';
  }
}

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
