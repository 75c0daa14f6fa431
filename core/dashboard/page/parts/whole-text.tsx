import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TextBlocks } from '../text-blocks';
import { TextView } from './text-view';

/** One line of a text, which may be cut off. A click shows the whole text. */
export function WholeText({ label, children }: { label: string; children: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && <TextDialog label={label} text={children} onClose={() => setOpen(false)} />}
    </>
  );
}

function TextDialog({ label, text, onClose }: { label: string; text: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={label} onClose={onClose}>
      <TextView text={new TextBlocks(text)} live={false} />
      <div class="actions">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
