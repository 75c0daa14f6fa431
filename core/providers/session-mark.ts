import { createHash } from 'node:crypto';
import type { ChatRequest, Session, Workspace } from '../contract/api';
import { makerOf } from '../contract/carried';
import type { RecordedSession } from '../record/process-event';
import type { ProviderSettings } from './settings';

/** Names everything that has to be the same for a call that goes on where the backend keeps a conversation. */
export function markSession(
  { model, messages }: ChatRequest,
  settings: Pick<ProviderSettings, 'driver' | 'name'>,
  { workingDirectory, directory, skills }: Workspace,
): string {
  const told = messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ parts }) => parts);
  const same = [makerOf(settings), model, told, workingDirectory, directory, skills];
  return createHash('sha256').update(JSON.stringify(same)).digest('base64');
}

/** The session for a driver. Undefined where it has another mark, or holds less than all but a user's next words. */
export function openSession(
  session: RecordedSession | undefined,
  mark: string,
  { messages }: ChatRequest,
): Session | undefined {
  if (session?.mark !== mark) return undefined;
  const { state } = session;
  const holds = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const news = messages.slice(holds);
  return holds > 0 && news.length > 0 && news.every(({ role }) => role === 'user') ? { state, holds } : undefined;
}
