import { useRef } from 'preact/hooks';
import type { TextBlocks } from '../text-blocks';
import { useStickToEnd } from '../use-stick-to-end';

interface TextViewProps {
  text: TextBlocks;
  /** Whether the text still grows. */
  live: boolean;
  /** The name for screen readers, where no title names the text. */
  label?: string;
  class?: string;
}

/** Untrusted text. It is never interpreted as HTML. */
export function TextView({ text, live, label, class: name = '' }: TextViewProps) {
  const box = useRef<HTMLDivElement>(null);
  useStickToEnd(box, text.length, live);
  return (
    <div
      class={`text ${name} ${live ? 'text-live' : ''}`}
      ref={box}
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={label}
    >
      {text.blocks.map((block, index) => (
        <div class="text-block" key={index}>
          {block}
        </div>
      ))}
    </div>
  );
}
