import { describeFound, JSON_WORDS } from '../config/describe-found';
import { isFields } from '../fields';
import { COUNTERS } from '../record/usage';
import type { ChatEvent, FinishReason, Logger, Usage, Warmth } from '../contract/api';
import { nameUnknownType } from './event-names';

const REASONS: Record<FinishReason, true> = { stop: true, length: true, tool_calls: true, content_filter: true };

const WARMTHS: Record<Warmth, true> = { hit: true, resumed: true, cold: true };

/** More calls or choices than any model makes. An index is a position: a wild one would fill the memory. */
const INDEX_LIMIT = 1024;

/** It is kept in the record of a process, and events of a record are shown. */
const LONGEST_STATE = 4096;

/** A driver may be plain JavaScript. */
export function asEvents(made: AsyncIterable<ChatEvent>): AsyncIterable<ChatEvent> {
  if (typeof (made as Partial<typeof made> | undefined)?.[Symbol.asyncIterator] === 'function') return made;
  throw new TypeError('its chat() has to be an async generator: async *chat(request, call) { yield ... }');
}

/**
 * Finds what would break an answer: plug-ins are not compiled against the contract, and pass on the words of a backend.
 * Throws an Error for the plug-in's author. Returns whether the contract has a type of this name; other events have no
 * effect.
 */
export function checkEvent(event: ChatEvent, choices: number): boolean {
  if (typeof event !== 'object' || event === null) throw invalid(`it is an object with a type, found ${told(event)}`);
  if ('choice' in event && event.choice !== undefined && !isIndex(event.choice, Math.min(choices, INDEX_LIMIT))) {
    throw invalid(`choice ${String(event.choice)} was not asked for`);
  }
  switch (event.type) {
    case 'meta':
      if (!isText(event.model) || !isNames(event.ignored)) {
        throw invalid('the model and the names of ignored fields are texts');
      }
      if (event.warm !== undefined && !Object.hasOwn(WARMTHS, event.warm)) {
        throw invalid(`warm is one of ${Object.keys(WARMTHS).join(', ')}, found ${told(event.warm)}`);
      }
      break;
    case 'text':
    case 'reasoning':
      if (typeof event.text !== 'string')
        throw invalid(`the text of "${event.type}" is a text, found ${told(event.text)}`);
      break;
    case 'tool_call':
      if (!isIndex(event.index, INDEX_LIMIT)) {
        throw invalid(`the index of "tool_call" is a whole number from 0, found ${told(event.index)}`);
      }
      if (!isText(event.id) || !isText(event.name) || !isText(event.arguments)) {
        throw invalid('id, name and arguments of "tool_call" are texts, the arguments as JSON');
      }
      break;
    case 'activity':
      if (typeof event.tool !== 'string' || !isText(event.detail)) throw invalid('tool and detail are texts');
      break;
    case 'usage':
      checkUsage(event);
      break;
    case 'reasoning_end':
      if (event.extra !== undefined && !isFields(event.extra))
        throw invalid('the extra fields of reasoning are an object');
      break;
    case 'session':
      if (!isFields(event.state) || (JSON.stringify(event.state)?.length ?? 0) > LONGEST_STATE) {
        throw invalid(`the state of a session is an object of at most ${LONGEST_STATE} characters as JSON`);
      }
      break;
    case 'native':
      if (!isFields(event.value)) throw invalid('the value of a native event is an object');
      break;
    case 'extra':
      if (
        ![event.delta, event.choiceFields, event.response].every((fields) => fields === undefined || isFields(fields))
      ) {
        throw invalid('extra fields are objects');
      }
      break;
    case 'finish':
      if (!Object.hasOwn(REASONS, event.reason)) {
        const reasons = Object.keys(REASONS).join(', ');
        throw invalid(`the reason of "finish" is one of ${reasons}, found ${told(event.reason)}`);
      }
      if (!isText(event.stopSequence)) {
        throw invalid(`the stopSequence of "finish" is a text, found ${told(event.stopSequence)}`);
      }
      break;
    default:
      return false;
  }
  return true;
}

/** A number that is wrong would spoil the sums of the ledger for good. */
function checkUsage(usage: Usage): void {
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) {
    const found = `${told(usage.inputTokens)} and ${told(usage.outputTokens)}`;
    throw invalid(`inputTokens and outputTokens of "usage" are numbers from 0, found ${found}`);
  }
  for (const name of [...COUNTERS, 'costUsd'] as const) {
    const count = usage[name];
    if (count !== undefined && !isCount(count)) {
      throw invalid(`${name} of "usage" is a number from 0, found ${told(count)}`);
    }
  }
  const { nominal } = usage;
  if (nominal !== undefined && typeof nominal !== 'boolean') throw invalid('nominal of a usage is true or false');
}

function isIndex(value: unknown, limit: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}

function isCount(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
}

function told(value: unknown): string {
  return describeFound(value, JSON_WORDS);
}

function invalid(reason: string): Error {
  return new Error(`it yielded an invalid event: ${reason}`);
}

/** They are no part of an answer that a user could see. */
const UNSEEN: ReadonlySet<string> = new Set<ChatEvent['type']>(['meta', 'usage', 'native', 'session']);

export function isSeen({ type }: ChatEvent): boolean {
  return !UNSEEN.has(type);
}

/** A refusal, a spoken or a drawn answer is an answer without text. Other lists are annotations, and no answer on their own. */
export function carriesContent(delta: Record<string, unknown> = {}): boolean {
  return Object.entries(delta).some(([name, value]) => {
    if (Array.isArray(value)) return name === 'images' && value.length > 0;
    return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
  });
}

/** A driver that invents types must not fill the log. */
const MOST_UNKNOWN = 10;

/** Warns once about each type of event that has no effect: a misspelling, or a contract newer than ours. */
export function warnOfUnknown({ log, driverAlias }: { log: Logger; driverAlias: string }): (type: unknown) => void {
  const known = new Set<string>();
  return (type) => {
    const name = nameUnknownType(type);
    if (known.has(name) || known.size === MOST_UNKNOWN) return;
    known.add(name);
    log.warn(`driver "${driverAlias}" yields events of type ${name}, which has no effect here`);
  };
}
