import type { Backend } from '../fakes/backend';
import { allCases } from './all-cases';
import { type CaseDefinition, findExclusion } from './case-definition';
import { didYouMean } from '../../config/did-you-mean';
import { readSubject, Stage, type StageParts } from './stage';
import { Turns } from './turns';
import { failed } from './within';

/** What `conformanceCases` needs to know of a driver. */
export interface ConformanceOptions {
  /** The driver's folder: the one that holds its manifest.json. */
  directory: string;
  /** The backend that the driver believes to be the real one. */
  backend: Backend;
  /** Further provider options, by their YAML names. Those of the backend win. */
  options?: Record<string, unknown>;
  /** Only cases of this level or an earlier one, so that a new version adds none. Default: all. */
  level?: '1.0';
  /** Cases that cannot hold for this driver, by id, each with the reason that is reported. */
  exclude?: Record<string, string>;
}

/** One statement about a driver. */
export interface ConformanceCase {
  /** Stable: it never means anything else. */
  id: string;
  /** The statement, as a sentence. */
  name: string;
  /** The level that the case came with. */
  since: string;
  /** Why the case says nothing about this driver. Such a case is to be reported as skipped; its `run` rejects. */
  excluded?: string;
  /** Resolves when the statement is true, else rejects with what is wrong. Cases may run at once. */
  run: () => Promise<void>;
}

/**
 * Every case for one driver, those that do not apply included. Reads the manifest, starts nothing. For any test runner:
 *
 *     for (const { id, name, excluded, run } of conformanceCases({ directory, backend })) {
 *       test(`${id}: ${name}`, { skip: excluded }, run);                        // node:test
 *       (excluded ? test.skip : test)(`${id}: ${excluded ?? name}`, run);       // jest, vitest
 *     }
 */
export function conformanceCases(options: ConformanceOptions): ConformanceCase[] {
  const { directory, backend, level, exclude = {} } = options;
  const subject = readSubject(directory);
  const parts: StageParts = { subject, backend, options: options.options ?? {} };
  refuseUnknown(
    'exclude: there is no case',
    Object.keys(exclude),
    known(({ id }) => [id]),
  );
  const abilities = known(({ needs }) => needs.filter((need) => !need.includes(':')));
  refuseUnknown('cannot: no case needs the ability', Object.keys(backend.cannot ?? {}), abilities);
  return allCases
    .filter(({ since }) => level === undefined || Number(since) <= Number(level))
    .map((definition) => {
      const { id, name, since, needs } = definition;
      const excluded = exclude[id] ?? findExclusion(needs, subject.manifest, backend);
      const run = () => turns[definition.isAlone ? 'alone' : 'beside'](() => runCase(definition, parts));
      if (excluded === undefined) return { id, name, since, run };
      return { id, name, since, excluded, run: () => Promise.reject(failed(`case ${id} is excluded: ${excluded}`)) };
    });
}

async function runCase(definition: CaseDefinition, parts: StageParts): Promise<void> {
  const stage = await Stage.open(parts);
  try {
    await definition.run(stage);
  } finally {
    await stage.close();
  }
}

function known(namesOf: (definition: CaseDefinition) => readonly string[]): string[] {
  return [...new Set(allCases.flatMap(namesOf))];
}

function refuseUnknown(complaint: string, names: string[], all: string[]): void {
  for (const name of names.filter((each) => !all.includes(each))) {
    const guess = didYouMean(name, all);
    throw failed(`${complaint} "${name}"; ${guess ? `did you mean ${guess}?` : `there are ${all.join(', ')}`}`);
  }
}

const turns = new Turns();
