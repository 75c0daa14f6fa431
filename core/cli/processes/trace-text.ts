import type { ProcessEvent } from '../../record/process-event';
import type { ProcessView, StepView } from '../../record/process-view';
import { printable } from '../../log/printable';
import { formatTime } from '../../record/wall-clock';
import { formatCost, formatCount, formatDuration, shorten } from '../terminal/format';
import { formatTable } from '../terminal/table';

const TEXT_LENGTH = 100;
const FIELDS_LENGTH = 400;

/** Name, intent, folder and start of a process. */
export function formatHead({ pid, uuid, name, intent, workingDirectory, project, createdAt }: ProcessView): string {
  const lines = [
    `process ${pid}${name === undefined ? '' : ` (${name})`}, ${uuid}`,
    `  intent   ${shorten(intent, TEXT_LENGTH)}`,
    `  folder   ${workingDirectory}${project === undefined || project === workingDirectory ? '' : ` (project ${project})`}`,
    `  created  ${formatTime(createdAt)}`,
  ];
  return lines.map(printable).join('\n');
}

/** One line per event, with the time since the process was created. */
export function formatEvent(event: ProcessEvent, { createdAt }: ProcessView): string[] {
  const text = describeEvent(event);
  if (text === undefined) return [];
  return [printable(`${formatDuration(event.time - createdAt).padStart(8)}  ${text}`)];
}

/** The end, each step with its usage and cost, and the facts of the driver about itself. */
export function formatSummary(view: ProcessView): string {
  const { state, end, usage, costUsd, steps, metadata, createdAt, endedAt } = view;
  const cost = formatCost(costUsd);
  const parts = [
    state,
    ...(endedAt === undefined ? [] : [`after ${formatDuration(endedAt - createdAt)}`]),
    `${formatCount(usage.inputTokens)} tokens in, ${formatCount(usage.outputTokens)} out`,
    ...(cost ? [cost] : []),
  ];
  const blocks = [parts.join(', ')];
  if (end?.message) blocks[0] += `\n${printable(`${end.message}${end.hint ? `; ${end.hint}` : ''}`)}`;
  if (steps.length > 0) blocks.push(formatTable(STEP_HEADS, steps.map(toRow)));
  const facts = Object.entries(metadata).map(([name, value]) => printable(`  ${name}: ${value}`));
  if (facts.length > 0) blocks.push(['driver', ...facts].join('\n'));
  return blocks.join('\n\n');
}

const STEP_HEADS = ['Step', 'Provider', 'Model', 'Time', 'In', 'Out', 'Cached', 'Hit rate', 'Cost', 'Finish'];

function toRow({ step, provider, model, ms, usage, hitRate, costUsd = 0, finish }: StepView): string[] {
  const tokens = (count: number | undefined) => (count === undefined ? '' : formatCount(count));
  return [
    String(step),
    provider,
    model ?? '',
    ms === undefined ? '' : formatDuration(ms),
    tokens(usage?.inputTokens),
    tokens(usage?.outputTokens),
    tokens(usage?.cachedInputTokens),
    hitRate === undefined ? '' : `${Math.round(hitRate * 100)}%`,
    formatCost(costUsd),
    finish ?? '',
  ];
}

/** Undefined for an event that the head shows. */
function describeEvent(event: ProcessEvent): string | undefined {
  switch (event.type) {
    case 'created':
      return undefined;
    case 'resolve': {
      const { provider, driver, model, effort, decidedBy } = event;
      const parts = [`provider ${provider} (${driver}; by ${decidedBy.provider})`];
      if (model !== undefined) parts.push(`model ${model} (by ${decidedBy.model ?? 'unknown'})`);
      if (effort !== undefined) parts.push(`effort ${effort} (by ${decidedBy.effort ?? 'unknown'})`);
      return `resolve   ${parts.join(', ')}`;
    }
    case 'running':
      return 'running';
    case 'step':
      return `step ${event.step}    ${event.provider}${event.model === undefined ? '' : `, ${event.model}`}${
        event.call === undefined ? '' : `, for ${event.call}`
      }`;
    case 'text':
    case 'reasoning':
      return `${event.type.padEnd(9)} ${shorten(event.text, TEXT_LENGTH)}`;
    case 'tool_call':
      return `tool      ${event.id} ${event.device ?? event.tool} ${shorten(event.arguments, TEXT_LENGTH)}${
        event.refused === undefined ? '' : `: refused, ${event.refused}`
      }`;
    case 'tool_result':
      return `result    ${event.id} ${shorten(event.text, TEXT_LENGTH)} (${formatDuration(event.ms)})`;
    case 'activity':
      return `activity  ${event.tool}${event.detail === undefined ? '' : ` ${shorten(event.detail, TEXT_LENGTH)}`}`;
    case 'step_end':
      return `step ${event.step}    ended: ${event.finish} after ${formatDuration(event.ms)}`;
    case 'driver':
      return `driver    ${event.event}${formatFields(event.fields)}`;
    case 'log':
      return `log       ${event.level} ${event.message}${formatFields(event.fields)}`;
    case 'metadata':
      return `driver    facts of ${event.provider} about itself`;
    case 'retry':
      return `retry     ${event.reason}`;
    case 'fallback':
      return `fallback  from ${event.from} to ${event.to}: ${event.reason}`;
    case 'notice':
      return `notice    ${event.message}`;
    case 'exit':
      return `exit      ${event.state}: ${event.reason}${event.message === undefined ? '' : `: ${event.message}`}`;
    default:
      return (event as ProcessEvent).type;
  }
}

function formatFields(fields: Record<string, unknown> | undefined): string {
  return fields ? ` ${shorten(JSON.stringify(fields), FIELDS_LENGTH)}` : '';
}
