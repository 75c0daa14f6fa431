import { useState } from 'preact/hooks';

const SHOWN_MS = 1_500;

/**
 * A command with a copy button. A page without TLS has no clipboard, except at a loopback address, so the button is absent
 * there (`--allow-host`).
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

/** Advice to the user. Text between backticks is a command. */
export function Hint({ children }: { children: string }) {
  const parts = children.split('`');
  return (
    <span class="hint">
      {parts.map((part, index) => (index % 2 === 1 ? <Command key={index}>{part}</Command> : part))}
    </span>
  );
}
