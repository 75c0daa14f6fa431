import type { Fields } from '../_shared/fields';
import { PerModel } from '../_shared/sdk/per-model';
import type { Refusal } from './refusal';

/** Fields without which the answer would be to another question: their refusal is the client's to hear. */
const ESSENTIAL = new Set([
  'model',
  'messages',
  'stream',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'response_format',
  'n',
  'modalities',
  'audio',
  'reasoning_effort',
]);

const LIMIT = 'max_completion_tokens';
const OLD_LIMIT = 'max_tokens';

/** What one model does not take. */
interface Memory {
  fields: Set<string>;
  /** Fields with one value each, as JSON. */
  values: Set<string>;
  wantsOldLimit: boolean;
}

/** Remembers per model which fields the vendor refused, so that each costs one request only. */
export class RefusedFields {
  private readonly models = new PerModel<Memory>(() => ({
    fields: new Set(),
    values: new Set(),
    wantsOldLimit: false,
  }));

  /** The fields to send; the names of those left out are added to `ignored`. */
  fit(model: string, fields: Fields, ignored: string[]): Fields {
    const memory = this.models.find(model);
    if (!memory) return fields;
    const fitting: Fields = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      const isRefused = memory.fields.has(name) || memory.values.has(pairOf(name, value));
      // Usage in streams is asked for by us, not by the client.
      if (isRefused && name !== 'stream_options') ignored.push(name);
      if (!isRefused) fitting[name === LIMIT && memory.wantsOldLimit ? OLD_LIMIT : name] = value;
    }
    return fitting;
  }

  /** Whether the same request is worth another try, without what was refused. `sent` is the body of the refused one. */
  learn(model: string, sent: Fields, { field, isAboutValue }: Refusal): boolean {
    if (ESSENTIAL.has(field) || field === OLD_LIMIT) return false;
    if (!Object.hasOwn(sent, field) || sent[field] === undefined) return false;
    const memory = this.models.of(model);
    if (field === LIMIT) memory.wantsOldLimit = true;
    else if (isAboutValue) memory.values.add(pairOf(field, sent[field]));
    else memory.fields.add(field);
    return true;
  }
}

function pairOf(name: string, value: unknown): string {
  return `${name}=${JSON.stringify(value)}`;
}
