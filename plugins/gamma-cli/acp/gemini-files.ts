import { createHash, randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Usage } from 'drivebay/plugin';
import { addUsage } from '../../_shared/cli/answer-parts';
import { countOf, fieldsIn, fieldsOf, isFields, textOf, type Fields } from '../../_shared/fields';
import { toUsage } from '../../_shared/http/usage';
import { ownFile } from '../own-folder';
import { namesIn, readText, recordsOf, removeFile, type SessionFiles, type Written } from './session-files';
import type { ToldTurn } from './turns';

const HOUR_MS = 3_600_000;
/** It has the conversation of the failed turn. */
const REPORT = /^gemini-client-error/;

/** How many programs work in a directory. */
const working = new Map<string, number>();

/** The session files of Gemini CLI: below its own folder, by a short name for the working directory. */
export class GeminiFiles implements SessionFiles {
  /** The messages of each session whose tokens are counted. */
  private readonly counted = new Map<string, Set<unknown>>();
  private project: { folder: string; root: string } | undefined;

  /** `reports`: where it leaves reports of errors. */
  constructor(
    private readonly cwd: string,
    private readonly reports: string,
  ) {
    working.set(cwd, (working.get(cwd) ?? 0) + 1);
  }

  async write(sessionId: string, turns: readonly ToldTurn[]): Promise<number> {
    const project = this.find();
    if (!project) throw new Error('its list of projects does not have its working directory');
    const { folder, root } = project;
    const now = new Date().toISOString();
    const projectHash = createHash('sha256').update(root).digest('hex');
    const header = { sessionId, projectHash, startTime: now, lastUpdated: now, kind: 'main' };
    const lines = [header, ...turns.map((turn) => recordOf(turn, now))].map((record) => JSON.stringify(record));
    // While it loads a session it makes another file with the name of this minute.
    const minute = new Date(Date.now() - HOUR_MS).toISOString().slice(0, 16).replace(':', '-');
    const path = join(folder, `session-${minute}-${sessionId.slice(0, 8)}.jsonl`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    return turns.reduce((count, turn) => count + updatesOf(turn), 0);
  }

  read(sessionId: string): Written {
    const counted = this.counted.get(sessionId) ?? new Set();
    this.counted.set(sessionId, counted);
    // A message is written again with what becomes known of it.
    const usages = new Map<unknown, Usage | undefined>();
    for (const { type, id, tokens } of this.pathsOf([sessionId]).flatMap(recordsOf)) {
      if (type === 'gemini' && isFields(tokens) && !counted.has(id)) usages.set(id, usageOf(tokens));
    }
    for (const id of usages.keys()) counted.add(id);
    // It makes one attempt only.
    return { usage: [...usages.values()].reduce(addUsage, undefined), answers: 1 };
  }

  remove(sessionId: string): void {
    this.counted.delete(sessionId);
    this.pathsOf([sessionId]).forEach(removeFile);
    for (const name of namesIn(this.reports)) if (REPORT.test(name)) removeFile(join(this.reports, name));
  }

  /** Other programs may work in the same directory. The last one leaves nothing, not even sessions whose names nothing told. */
  async clear(sessionIds: readonly string[]): Promise<void> {
    const others = (working.get(this.cwd) ?? 1) - 1;
    working.set(this.cwd, others);
    const { folder } = this.find() ?? {};
    if (others === 0 && folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    this.pathsOf(sessionIds).forEach(removeFile);
  }

  /** The name of a file has the time when the session began. */
  private pathsOf(sessionIds: readonly string[]): string[] {
    const { folder } = this.find() ?? {};
    const names = folder === undefined ? [] : namesIn(folder);
    const ends = sessionIds.map((id) => `-${id.slice(0, 8)}.jsonl`);
    return names.filter((name) => ends.some((end) => name.endsWith(end))).map((name) => join(folder!, name));
  }

  private find(): { folder: string; root: string } | undefined {
    if (this.project) return this.project;
    const projects = fieldsOf(fieldsIn(readText(ownFile('gemini', 'projects.json'))).projects);
    const root = [this.cwd, realPath(this.cwd)].find((path) => textOf(projects[path]) !== undefined);
    if (root !== undefined) this.project = { root, folder: ownFile('gemini', 'tmp', String(projects[root]), 'chats') };
    return this.project;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function recordOf(turn: ToldTurn, timestamp: string): Fields {
  const head = { id: randomUUID(), timestamp };
  if (turn.role === 'user') return { ...head, type: 'user', content: [{ text: turn.text }] };
  const toolCalls = turn.calls.map(({ id, name, args, output, images }) => {
    const seen = images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }));
    const result = [{ functionResponse: { id, name, response: { output } } }, ...seen];
    return { id, name, args, status: 'success', timestamp, result };
  });
  const calls = toolCalls.length > 0 ? { toolCalls } : {};
  return { ...head, type: 'gemini', content: turn.text, thoughts: [], ...calls };
}

function updatesOf(turn: ToldTurn): number {
  return (turn.text.trim() === '' ? 0 : 1) + (turn.role === 'model' ? turn.calls.length : 0);
}

/** As its last event of a run has it: the input includes the cached tokens, the output the thoughts. */
function usageOf(tokens: Fields): Usage | undefined {
  const thoughts = countOf(tokens.thoughts) ?? 0;
  return toUsage({
    inputTokens: countOf(tokens.input),
    outputTokens: (countOf(tokens.output) ?? 0) + thoughts,
    cachedInputTokens: countOf(tokens.cached),
    reasoningTokens: thoughts || undefined,
  });
}
