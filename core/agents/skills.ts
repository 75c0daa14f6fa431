import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { suggestName } from '../config/did-you-mean';
import { readSmallFile } from '../config/small-file';
import type { Problem } from '../errors';
import { isFolder } from '../make-folder';
import { expandHome } from '../paths';
import type { Skill } from '../contract/api';

const FILE = 'SKILL.md';

interface SkillPlaces {
  base: string;
  root?: string;
  user: string;
}

export interface LoadedSkill extends Skill {
  text: string;
}

export function findSkill(wanted: string, places: SkillPlaces): LoadedSkill | Pick<Problem, 'message' | 'hint'> {
  const folders = foldersFor(wanted, places);
  // For a name that is too long a look would fail.
  const directory = folders.find((folder) => existsSync(folder) && isFolder(folder));
  if (directory === undefined) return explainMissing(wanted, folders, places);
  const content = readSmallFile(join(directory, FILE));
  if (content.state === 'ok') return { name: basename(directory), directory, text: content.value.toString('utf8') };
  const reason = content.state === 'absent' ? `has no ${FILE}` : `cannot be used: its ${FILE} ${content.reason}`;
  return { message: `skill ${JSON.stringify(wanted)}: the folder ${directory} ${reason}` };
}

/** A text with a slash, or with a dot or `~` at its beginning, is a path. Any other text is the name of a skill first. */
function foldersFor(wanted: string, places: SkillPlaces): string[] {
  const path = resolve(places.base, expandHome(wanted, process.env));
  if (/^[.~]|\//.test(wanted)) return [path];
  return [...namedPlaces(places).map((place) => join(place, wanted)), path];
}

function namedPlaces({ root, user }: SkillPlaces): string[] {
  return [...(root === undefined ? [] : [join(root, '.drivebay', 'skills')]), user];
}

function explainMissing(wanted: string, folders: string[], places: SkillPlaces): Pick<Problem, 'message' | 'hint'> {
  const known = namedPlaces(places).flatMap(namesIn);
  const all = known.length > 0 ? `skills: ${known.join(', ')}` : `a skill is a folder with a ${FILE}`;
  return {
    message: `skill ${JSON.stringify(wanted)}: there is no folder ${folders.join(', nor ')}`,
    hint: suggestName(wanted, known, all),
  };
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
