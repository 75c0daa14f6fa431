import type { Backend } from '../fakes/backend';
import { allCases } from './all-cases';
import { type CaseDefinition, findExclusion } from './case-definition';
import { didYouMean } from '../../config/did-you-mean';
import { readSubject } from './read-subject';
import { Stage, type StageParts } from './stage';
import { turns } from './turns';
import { ConformanceError } from './within';

/** The driver to test. */
export interface ConformanceOptions {
  /** The folder with the driver's manifest.json. */
  directory: string;
  /** The backend that takes the place of the real one. */
  backend: Backend;
  /** Further provider options, by their YAML names. The options of the backend override them. */
  options?: Record<string, unknown>;
  /**
   * Whether the driver keeps programs between chats (`context.keep`). Each case then begins when one is kept, after a chat
   * like its own. Default: each case begins with a new driver.
   */
  keeps?: boolean;
  /** Runs only the cases up to this level, so that a new version adds none. Default: all cases. */
  level?: '1.0';
  /** The ids of cases that do not apply to this driver, each with the reason. */
  exclude?: Record<string, string>;
}

/** A statement about a driver, and its test. */
export interface ConformanceCase {
  /** Stable: its meaning never changes. */
  id: string;
  /** The statement, as a sentence. */
  name: string;
  /** The first level that has the case. */
  since: string;
  /** The reason why the case does not apply to this driver. Report such a case as skipped: its `run` rejects. */
  excluded?: string;
  /** Resolves when the statement is true, and rejects with the fault otherwise. Cases may run at the same time. */
  run: () => Promise<void>;
}

/**
 * All cases for one driver, excluded ones too. Reads the manifest and starts nothing. Works with any test runner:
 *
 *     for (const { id, name, excluded, run } of conformanceCases({ directory, backend })) {
 *       test(`${id}: ${name}`, { skip: excluded }, run);                        // node:test
 *       (excluded ? test.skip : test)(`${id}: ${excluded ?? name}`, run);       // jest, vitest
 *     }
 */
export function conformanceCases(options: ConformanceOptions): ConformanceCase[] {
  const { directory, backend, level, keeps, exclude = {} } = options;
  const subject = readSubject(directory);
  const parts: StageParts = { subject, backend, options: options.options ?? {}, keeps };
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
      return {
        id,
        name,
        since,
        excluded,
        run: () => Promise.reject(new ConformanceError(`case ${id} is excluded: ${excluded}`)),
      };
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
    throw new ConformanceError(
      `${complaint} "${name}"; ${guess ? `did you mean ${guess}?` : `there are ${all.join(', ')}`}`,
    );
  }
}
