import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelsReport } from './describe-models';
import { makeFolder } from '../make-folder';
import { writeWholeLater } from '../write-whole';

const fileOf = (cache: string, provider: string) => join(cache, 'models', `${provider}.json`);

/** Keeps the lists that backends gave, for the completion of a shell, which may not ask backends. Never rejects. */
export async function rememberModels(cache: string, reports: readonly ModelsReport[]): Promise<void> {
  const lists = reports.filter(({ listed }) => listed);
  if (lists.length === 0) return;
  try {
    makeFolder(join(cache, 'models'));
    const names = (report: ModelsReport) => JSON.stringify(report.models.map(({ name }) => name));
    await Promise.all(lists.map((report) => writeWholeLater(fileOf(cache, report.provider), names(report))));
  } catch {
    // A completion without these names does no harm.
  }
}

/** The names that were kept last; empty where there are none. */
export function knownModels(cache: string, provider: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(fileOf(cache, provider), 'utf8')));
  } catch {
    return [];
  }
}
