import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fieldsOf, listOf, type Fields } from '../../_shared/fields';
import { recordsOf, removeFile, type SessionFiles, type Written } from './session-files';
import type { ToldTurn } from './turns';

/** The session files of Qwen Code, below the folder that `QWEN_RUNTIME_DIR` names. */
export class QwenFiles implements SessionFiles {
  constructor(
    private readonly cwd: string,
    private readonly runtimeFolder: string,
  ) {}

  async write(sessionId: string, turns: readonly ToldTurn[]): Promise<number> {
    let parentUuid: string | null = null;
    const timestamp = new Date().toISOString();
    const lines = turns.flatMap(recordsFor).map((record) => {
      const uuid = randomUUID();
      const line = { uuid, parentUuid, sessionId, timestamp, cwd: this.cwd, version: '0', ...record };
      parentUuid = uuid;
      return JSON.stringify(line);
    });
    const path = this.pathOf(sessionId);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    // It repeats the session before it says that it has loaded it.
    return 0;
  }

  read(sessionId: string): Written {
    const records = recordsOf(this.pathOf(sessionId));
    // The program may write after the file of the turn before was removed.
    const turn = records.slice(records.findLastIndex(({ type }) => type === 'user') + 1);
    // After a call the model is asked again in any case.
    const answers = turn.filter(
      ({ type, message }) => type === 'assistant' && !listOf(fieldsOf(message).parts).some(isCall),
    );
    return { answers: answers.length };
  }

  remove(sessionId: string): void {
    removeFile(this.pathOf(sessionId));
    removeFile(join(this.runtimeFolder, 'debug', `${sessionId}.txt`));
  }

  /** The whole folder goes with its program. */
  clear(): Promise<void> {
    return Promise.resolve();
  }

  private pathOf(sessionId: string): string {
    const project = this.cwd.replace(/[^A-Za-z0-9]/g, '-');
    return join(this.runtimeFolder, 'projects', project, 'chats', `${sessionId}.jsonl`);
  }
}

function isCall(part: unknown): boolean {
  return fieldsOf(part).functionCall !== undefined;
}

function recordsFor(turn: ToldTurn): Fields[] {
  if (turn.role === 'user') return [{ type: 'user', message: { role: 'user', parts: [{ text: turn.text }] } }];
  const calls = turn.calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));
  const parts = [...(turn.text === '' ? [] : [{ text: turn.text }]), ...calls];
  const results = turn.calls.map(({ id, name, output }) => ({
    type: 'tool_result',
    message: { role: 'user', parts: [{ functionResponse: { id, name, response: { output } } }] },
    toolCallResult: { callId: id, status: 'success', resultDisplay: output },
  }));
  return [{ type: 'assistant', message: { role: 'model', parts } }, ...results];
}
