import { useRef } from 'preact/hooks';
import { memo } from '../memo';
import type { TextBlocks } from '../text-blocks';
import { useStickToEnd } from '../use-stick-to-end';

/** What a model says, as text and never as anything else. */
export function TextView({ text, live, class: name = '' }: { text: TextBlocks; live: boolean; class?: string }) {
  const box = useRef<HTMLDivElement>(null);
  useStickToEnd(box, text.length, live);
  return (
    <div class={`text ${name} ${live ? 'text-live' : ''}`} ref={box} tabIndex={0} role="log" aria-live="off">
      {text.blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(({ text }: { text: string }) => <div class="text-block">{text}</div>);
