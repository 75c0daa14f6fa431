#!/usr/bin/env node
// Claude Code, as far as its driver and the bench need it, on Node as most CLIs are. Model `stream-100-5` is 100 chunks,
// one per 5 ms, each with the time at which it was written, by a clock that all processes share.
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');
const streamed = (event) => say({ type: 'stream_event', event });

async function answer() {
  const [, count, pause] = (/stream-(\d+)-(\d+)/.exec(process.argv.join(' ')) ?? [0, 1, 0]).map(Number);
  say({ type: 'system', subtype: 'init', model: 'm', apiKeySource: 'none' });
  streamed({ type: 'message_start', message: { id: '1', usage: {} } });
  let result = '';
  for (let number = 0; number < count; number += 1) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const text = `#${number} @${process.hrtime.bigint()} `;
    result += text;
    streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  }
  const end = { subtype: 'success', is_error: false, num_turns: 1, stop_reason: 'end_turn', usage: {} };
  say({ type: 'result', result, ...end });
}

if (process.argv.includes('--help'))
  console.log('--include-partial-messages --safe-mode --system-prompt[-file] --tools');
else process.stdin.resume().on('end', () => void answer());
