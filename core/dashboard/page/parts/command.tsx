import { useState } from 'preact/hooks';

const SHOWN_MS = 1_500;

/**
 * A command to type, with a button that copies it. Browsers give no clipboard to a page without TLS under another name
 * than that of this machine (`--allow-host`).
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

/** Advice in words. The text between backticks is a command. */
export function Hint({ children }: { children: string }) {
  const parts = children.split('`');
  return (
    <span class="hint">
      {parts.map((part, index) => (index % 2 === 1 ? <Command key={index}>{part}</Command> : part))}
    </span>
  );
}
