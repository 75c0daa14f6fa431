import type { RunningGateway } from '../../../setup/running-gateway';
import type { Step } from '../../scripted-driver';
import type { Json } from '../../wire';

/** One event of a stream: its name in the `event:` line, and its data. */
export interface WireFrame {
  event: string;
  data: Json;
}

/** The events of a transcript, after checking that it holds nothing else. */
export function framesOf(transcript: string): WireFrame[] {
  const frames = transcript.split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    expect([frame, typeof data]).toEqual([frame, 'string']);
    const parsed = JSON.parse(data!) as Json;
    expect(parsed.type).toBe(event);
    return { event: event!, data: parsed };
  });
}

/** A stream in short: `+0:text 0"Hi" -0 end_turn stop`. Checks the order of its blocks. */
export function shortForm(transcript: string): string {
  let open: number | undefined;
  let next = 0;
  const words = framesOf(transcript).map(({ event, data }) => {
    switch (event) {
      case 'content_block_start':
        expect([open, data.index]).toEqual([undefined, next]);
        open = next++;
        return `+${data.index}:${data.content_block.type}`;
      case 'content_block_delta': {
        expect(data.index).toBe(open);
        const { text, thinking, partial_json, signature } = data.delta as Json;
        return JSON.stringify(text ?? thinking ?? partial_json ?? (signature === undefined ? null : 'signature'));
      }
      case 'content_block_stop':
        expect(data.index).toBe(open);
        open = undefined;
        return `-${data.index}`;
      case 'message_delta':
        return String(data.delta.stop_reason);
      case 'error':
        return `error:${data.error.type}`;
      default:
        return event.replace('message_', '');
    }
  });
  return words.join(' ');
}

export interface Asked {
  status: number;
  headers: Headers;
  text: string;
}

/** Posts a message request; `messages`, `model` and `max_tokens` have defaults. */
export async function askMessage(
  { url }: Pick<RunningGateway, 'url'>,
  fields: Json,
  { path = '/v1/messages', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Asked> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify({ model: 'main', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...fields }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A piece of a call, as a driver yields it. */
export const piece = (index: number, text: string, more: Json = {}): Step => ({
  type: 'tool_call',
  index,
  arguments: text,
  ...more,
});
export const thought = (value: string, extra?: Json): Step => ({ type: 'reasoning', text: value, extra });
