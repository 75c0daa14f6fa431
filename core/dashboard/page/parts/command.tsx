import { useState } from 'preact/hooks';

const SHOWN_MS = 1_500;

/**
 * A command to type, with a button that copies it. Browsers give no clipboard to a page without TLS that is reached by
 * another name than this machine's own (`--allow-host`).
 */
export function Command({ children }: { children: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(children);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span class="command">
      <code>{children}</code>
      {isSecureContext && (
        <button type="button" onClick={() => void copy()} aria-label={`Copy: ${children}`}>
          {copied ? 'copied' : 'copy'}
        </button>
      )}
    </span>
  );
}
