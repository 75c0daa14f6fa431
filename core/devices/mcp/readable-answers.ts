import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter } from '../../contract/line-splitter';
import { parseJson } from '../../fields';
import { readMessage, refuseMessage } from './read-message';

const EVENT = /^data: ?(\{.*)$/s;
/** As the SDK has it. */
const CONNECTION_CLOSED = -32_000;
const LONGEST_LINE = 64 * 1024 * 1024;

interface Asked {
  /** Takes our answer to something that is no valid request. */
  refuse: (message: JSONRPCMessage) => void;
  /** The requests that this body answers. */
  waiting: ReadonlySet<RequestId>;
}

/**
 * Writes the messages of an answer anew, as the SDK takes them: its transports pass over what they do not know, such as
 * `"error": null` beside a result, and the other side would wait. Undefined for an answer that has no messages.
 */
export function readableAnswers(
  type: string,
  body: ReadableStream<Uint8Array>,
  asked: Asked,
): ReadableStream<Uint8Array> | undefined {
  if (/^application\/json\b/i.test(type)) return body.pipeThrough(wholeBody());
  if (!/^text\/event-stream\b/i.test(type)) return undefined;
  // No request waits for this stream. The SDK opens it anew when it breaks.
  if (asked.waiting.size === 0) return body.pipeThrough(eventsOf(asked));
  return ReadableStream.from(untilCut(body)).pipeThrough(eventsOf(asked));
}

/** Ends, without an error, where the connection breaks. */
async function* untilCut(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    // The requests without an answer fail at the end.
  }
}

function wholeBody(): TransformStream<Uint8Array, Uint8Array> {
  const pieces: Uint8Array[] = [];
  return new TransformStream({
    transform: (piece) => void pieces.push(piece),
    flush(controller) {
      const body = Buffer.concat(pieces);
      const value = parseJson(body.toString('utf8'));
      const read = Array.isArray(value) ? value.map((each: unknown) => readable(each) ?? each) : readable(value);
      controller.enqueue(read === undefined ? body : Buffer.from(JSON.stringify(read)));
    },
  });
}

function readable(value: unknown): JSONRPCMessage | undefined {
  const read = readMessage(value);
  return 'message' in read ? read.message : undefined;
}

function eventsOf({ refuse, waiting }: Asked): TransformStream<Uint8Array, Uint8Array> {
  const splitter = new LineSplitter(LONGEST_LINE);
  const missing = new Set(waiting);
  let isResumable = false;
  const readLine = (line: string): string => {
    isResumable ||= /^id: ?./.test(line);
    const text = EVENT.exec(line)?.[1];
    const value = text === undefined ? undefined : parseJson(text);
    // A message that goes over several lines stays as it is: servers write one on each.
    if (value === undefined) {
      if (text !== undefined) missing.clear();
      return line;
    }
    const read = readMessage(value);
    if (!('message' in read)) {
      if (read.id !== undefined) refuse(refuseMessage(read.id, read.fault));
      return line;
    }
    if (!('method' in read.message)) missing.delete(read.message.id!);
    return `data: ${JSON.stringify(read.message)}`;
  };
  const write = (lines: string[]) => Buffer.from(lines.map((line) => `${readLine(line)}\n`).join(''));
  return new TransformStream({
    transform(piece, controller) {
      const lines: string[] = [];
      splitter.push(piece, lines);
      if (lines.length > 0) controller.enqueue(write(lines));
    },
    flush(controller) {
      const lines: string[] = [];
      splitter.end(lines);
      if (lines.length > 0) controller.enqueue(write(lines));
      // The SDK asks for the rest of an answer that has marks. Of another one it would wait for the rest for ever.
      if (!isResumable) for (const id of missing) controller.enqueue(Buffer.from(`\n\ndata: ${unanswered(id)}\n\n`));
    },
  });
}

function unanswered(id: RequestId): string {
  const message = 'the connection was closed before the answer';
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message } });
}
