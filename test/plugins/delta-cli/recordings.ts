import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../setup/source-files';

const folder = join(repository, 'test/fixtures/codex');

/** What the real CLI printed, by name. */
export function recording(name: string): string {
  return readFileSync(join(folder, `exec-${name}.jsonl`), 'utf8');
}

export function recordedEvents(name: string): unknown[] {
  return recording(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}

export function recordingNames(): string[] {
  return readdirSync(folder).flatMap((file) => /^exec-(.*)\.jsonl$/.exec(file)?.[1] ?? []);
}
