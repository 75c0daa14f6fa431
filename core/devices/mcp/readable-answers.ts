import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter } from '../../contract/line-splitter';
import { parseJson } from '../../fields';
import { readMessage, refuseMessage } from './read-message';

const EVENT = /^data: ?(\{.*)$/s;
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Writes the messages of an answer anew, as the SDK takes them: its transports pass over what they do not know, such as
 * `"error": null` beside a result, and the other side would wait. Undefined for an answer that has no messages.
 */
export function readableAnswers(
  type: string,
  refuse: (message: JSONRPCMessage) => void,
): TransformStream<Uint8Array, Uint8Array> | undefined {
  if (/^application\/json\b/i.test(type)) return wholeBody();
  if (/^text\/event-stream\b/i.test(type)) return eventsOf(refuse);
  return undefined;
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

function eventsOf(refuse: (message: JSONRPCMessage) => void): TransformStream<Uint8Array, Uint8Array> {
  const splitter = new LineSplitter(LONGEST_LINE);
  const write = (lines: string[]) => Buffer.from(lines.map((line) => `${readEvent(line, refuse)}\n`).join(''));
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
    },
  });
}

/** A message that goes over several lines stays as it is: servers write one on each. */
function readEvent(line: string, refuse: (message: JSONRPCMessage) => void): string {
  const text = EVENT.exec(line)?.[1];
  const value = text === undefined ? undefined : parseJson(text);
  if (value === undefined) return line;
  const read = readMessage(value);
  if ('message' in read) return `data: ${JSON.stringify(read.message)}`;
  if (read.id !== undefined) refuse(refuseMessage(read.id, read.fault));
  return line;
}
