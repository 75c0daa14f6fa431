import type { TextBlocks } from '../text-blocks';
import { formatLength } from '../format';
import { Empty } from './empty';
import { Panel } from './panel';
import { TextView } from './text-view';

export function Answer({ text, live }: { text: TextBlocks; live: boolean }) {
  return (
    <Panel title="Answer" aside={text.length > 0 ? formatLength(text.length) : undefined} class="answer">
      {text.length > 0 ? (
        <TextView text={text} live={live} />
      ) : (
        <Empty>{live ? 'Nothing was said yet.' : 'It ended without a word.'}</Empty>
      )}
    </Panel>
  );
}
