import type { Message, Part } from '../contract/api';

/**
 * Brings the system entries of a conversation into the form that every backend takes: one system message at the front,
 * and later entries as reminders in the neighbouring user message. Many chat templates refuse a system message that
 * comes later, and one that is moved to the front would change the prefix that prompt caches know.
 */
export function foldSystem(messages: readonly Message[]): Message[] {
  const folded: Message[] = [];
  /** Reminders that wait for the results of the calls before them, or for a user message. */
  let waiting: Part[] = [];
  let isLeading = true;
  messages.forEach((message, index) => {
    const isSystem = message.role === 'system' || message.role === 'developer';
    if (isSystem && isLeading) {
      joinLeading(folded, message);
      return;
    }
    isLeading = false;
    if (isSystem) {
      waiting.push(...message.parts.map(toReminder));
      if (awaitsResults(messages, index)) return;
      waiting = place(folded, waiting, messages[index + 1]?.role === 'user');
      return;
    }
    // Results of one turn follow each other: nothing comes between them.
    if (waiting.length > 0 && message.role !== 'tool') {
      if (message.role === 'user') {
        folded.push({ ...message, parts: [...waiting, ...message.parts] });
        waiting = [];
        return;
      }
      waiting = place(folded, waiting, false);
    }
    folded.push(message);
  });
  place(folded, waiting, false);
  return folded;
}

function joinLeading(folded: Message[], message: Message): void {
  const [first] = folded;
  if (first) folded[0] = { ...first, parts: [...first.parts, ...message.parts] };
  else folded.push({ ...message, role: 'system' });
}

/** Puts reminders behind what the user said last. Returns those that have to wait for the user message that follows. */
function place(folded: Message[], reminders: Part[], userFollows: boolean): Part[] {
  if (reminders.length === 0) return [];
  const last = folded.at(-1);
  if (last?.role === 'user') folded[folded.length - 1] = { ...last, parts: [...last.parts, ...reminders] };
  else if (userFollows) return reminders;
  else folded.push({ role: 'user', parts: reminders });
  return [];
}

/** Whether an entry stands between a call and its results. */
function awaitsResults(messages: readonly Message[], index: number): boolean {
  for (let next = index + 1; next < messages.length; next += 1) {
    const { role } = messages[next]!;
    if (role === 'tool') return true;
    if (role !== 'system' && role !== 'developer') return false;
  }
  return false;
}

function toReminder(part: Part): Part {
  if (part.type !== 'text' || part.text.startsWith('<system-reminder>')) return part;
  return { type: 'text', text: `<system-reminder>\n${part.text}\n</system-reminder>` };
}
