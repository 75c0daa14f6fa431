import { explainLost, explainUnread, HOW_TO_READ, type UnreadLines } from '../../../record/unread-lines';

interface UnreadProps {
  /** Lines of the ledger. */
  lines?: readonly UnreadLines[];
  /** Records of processes. */
  records?: readonly string[];
}

/** Says what a view leaves out, because it cannot be read. */
export function Unread({ lines = [], records = [] }: UnreadProps) {
  const all = [...lines.map(explainUnread), explainLost(records) ?? []].flat();
  return (
    <>
      {all.map((what) => (
        <p class="note note-warn wide" key={what}>
          {what}; {HOW_TO_READ}
        </p>
      ))}
    </>
  );
}
