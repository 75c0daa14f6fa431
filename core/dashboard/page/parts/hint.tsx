import { Command } from './command';

/** What to do, in words; what stands between backticks is to be typed. */
export function Hint({ children }: { children: string }) {
  const parts = children.split('`');
  return (
    <span class="hint">
      {parts.map((part, index) => (index % 2 === 1 ? <Command key={index}>{part}</Command> : part))}
    </span>
  );
}
