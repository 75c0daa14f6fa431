import { formatTime } from '../../contract/wall-clock';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessView, StepView } from '../../record/process-view';
import { type EventWords, wordsFor } from '../../record/event-words';
import { formatCost, formatCount, formatDuration, shorten } from '../terminal/format';
import { formatTable, toLine } from '../terminal/print';

const TEXT_LENGTH = 100;
const FIELDS_LENGTH = 400;

export function formatHead(view: ProcessView): string {
  const { pid, uuid, name, intent, workingDirectory, project, createdAt, continues } = view;
  const lines = [
    `process ${pid}${name === undefined ? '' : ` (${name})`}, ${uuid}`,
    `  intent   ${shorten(intent, TEXT_LENGTH)}`,
    `  folder   ${workingDirectory}${project === undefined || project === workingDirectory ? '' : ` (project ${project})`}`,
    `  created  ${formatTime(createdAt)}`,
    ...(continues === undefined ? [] : [`  follows  process ${continues}`]),
  ];
  return lines.map(toLine).join('\n');
}

/** One line per event, with the time since the process was created. */
export function formatEvent(event: ProcessEvent, { createdAt }: ProcessView): string[] {
  // The head shows the creation.
  if (event.type === 'created') return [];
  const text = wordsFor(LINES, event) ?? event.type;
  return [toLine(`${formatDuration(event.time - createdAt).padStart(8)}  ${text}`)];
}

/** The end, each step with its usage and cost, and the facts of the driver about itself. */
export function formatSummary(view: ProcessView): string {
  const { state, end, usage, costUsd, nominalUsd, steps, metadata, createdAt, endedAt } = view;
  const parts = [
    state,
    endedAt && `after ${formatDuration(endedAt - createdAt)}`,
    `${formatCount(usage.inputTokens)} tokens in, ${formatCount(usage.outputTokens)} out`,
    formatCost(costUsd, nominalUsd),
  ];
  const blocks = [parts.filter(Boolean).join(', ')];
  if (end?.message) blocks[0] += `\n${toLine(`${end.message}${end.hint ? `; ${end.hint}` : ''}`)}`;
  if (steps.length > 0) blocks.push(formatTable(STEP_HEADS, steps.map(toRow)));
  const facts = Object.entries(metadata).map(([name, value]) => toLine(`  ${name}: ${value}`));
  if (facts.length > 0) blocks.push(['driver', ...facts].join('\n'));
  return blocks.join('\n\n');
}

const STEP_HEADS = ['Step', 'Provider', 'Model', 'Time', 'In', 'Out', 'Cached', 'Hit rate', 'Cost', 'Finish'];

function toRow({ step, provider, model, ms, usage, hitRate, finish, ...cost }: StepView): string[] {
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
    formatCost(cost.costUsd ?? 0, cost.nominalUsd),
    finish ?? '',
  ];
}

const brief = (text: string) => shorten(text, TEXT_LENGTH);

const LINES: EventWords = {
  resolve: ({ provider, driver, driverAlias = driver, model, effort, decidedBy }) => {
    const parts = [`provider ${provider} (${driverAlias}; by ${decidedBy.provider})`];
    if (model !== undefined) parts.push(`model ${model} (by ${decidedBy.model ?? 'unknown'})`);
    if (effort !== undefined) parts.push(`effort ${effort} (by ${decidedBy.effort ?? 'unknown'})`);
    return `resolve   ${parts.join(', ')}`;
  },
  step: ({ step, provider, model, call }) =>
    `step ${step}    ${provider}${model === undefined ? '' : `, ${model}`}${call === undefined ? '' : `, for ${call}`}`,
  text: ({ text }) => `text      ${brief(text)}`,
  reasoning: ({ text }) => `reasoning ${brief(text)}`,
  tool_call: ({ id, device, tool, arguments: given, refused }) =>
    `tool      ${id} ${device ?? tool} ${brief(given)}${refused === undefined ? '' : `: refused, ${refused}`}`,
  tool_result: ({ id, text, ms }) => `result    ${id} ${brief(text)} (${formatDuration(ms)})`,
  activity: ({ tool, detail }) => `activity  ${tool}${detail === undefined ? '' : ` ${brief(detail)}`}`,
  step_end: ({ step, finish, ms }) => `step ${step}    ended: ${finish} after ${formatDuration(ms)}`,
  driver: ({ event, fields }) => `driver    ${event}${formatFields(fields)}`,
  log: ({ level, message, fields }) => `log       ${level} ${message}${formatFields(fields)}`,
  metadata: ({ provider }) => `driver    facts of ${provider} about itself`,
  retry: ({ reason }) => `retry     ${reason}`,
  fallback: ({ from, to, reason }) => `fallback  from ${from} to ${to}: ${reason}`,
  notice: ({ message }) => `notice    ${message}`,
  exit: ({ state, reason, message }) =>
    `exit      ${[...new Set([state, reason, ...(message === undefined ? [] : [message])])].join(': ')}`,
};

function formatFields(fields: Record<string, unknown> | undefined): string {
  return fields ? ` ${shorten(JSON.stringify(fields), FIELDS_LENGTH)}` : '';
}
