import { explainUnread, HOW_TO_READ, type UnreadLines } from '../record/unread-lines';
import { printWarnings } from './terminal/print';

/** Says which lines of the state folder an answer leaves out, and returns whether there are any. */
export function sayUnread(unread: readonly UnreadLines[]): boolean {
  printWarnings(unread.map((each) => ({ message: explainUnread(each), hint: HOW_TO_READ })));
  return unread.length > 0;
}
