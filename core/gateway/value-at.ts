import { isFields } from '../fields';
import { wrongField } from './read-fields';

/** Values of a request that were not checked with its fields. `path` says in an error where the value is. */

export function objectAt(path: string, value: unknown): Record<string, unknown> {
  if (isFields(value)) return value;
  throw wrongField(path, value, 'an object');
}

export function listAt(path: string, value: unknown, expected = 'a list'): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw wrongField(path, value, expected);
}

export function textAt(path: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongField(path, value, 'a text');
}

/** A name of something: a text that is not empty. */
export function nameAt(path: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrongField(path, value, 'a text that is not empty');
}

export function ifText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
