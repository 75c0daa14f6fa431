import { useRef } from 'preact/hooks';
import { memo } from '../memo';
import type { TextBlocks } from '../text-blocks';
import { useStickToEnd } from '../use-stick-to-end';

export interface TextViewProps {
  text: TextBlocks;
  /** Whether it goes on. */
  live: boolean;
  /** What it is, where no title says it. */
  label?: string;
  class?: string;
}

/** What a model says, or was asked, as text and never as anything else. */
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
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(({ text }: { text: string }) => <div class="text-block">{text}</div>);
