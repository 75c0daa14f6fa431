import { useRef, useState } from 'preact/hooks';
import { type ApiError, postJson } from '../api';

export function Kill({ pid }: { pid: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<string>();
  const kill = async () => {
    dialog.current?.close();
    setAsked(true);
    setError(undefined);
    try {
      await postJson(`processes/${pid}/kill`);
    } catch (failure) {
      setAsked(false);
      setError((failure as ApiError).message);
    }
  };
  return (
    <>
      {error !== undefined && <span role="alert">{error} </span>}
      <button type="button" class="button bad" disabled={asked} onClick={() => dialog.current?.showModal()}>
        {asked ? 'Ending ...' : 'Kill'}
      </button>
      <dialog ref={dialog} aria-labelledby="kill-title">
        <h2 id="kill-title">Kill process {pid}?</h2>
        <p>The process ends at once, with every program that it started. Its results so far remain.</p>
        <div class="actions">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Let it run
          </button>
          <button type="button" class="button bad" onClick={() => void kill()}>
            Kill it
          </button>
        </div>
      </dialog>
    </>
  );
}
