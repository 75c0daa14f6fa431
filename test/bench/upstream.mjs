// The fast upstream, run as a process of its own: `node upstream.mjs PORT`.
// The model name steers a stream: `stream-100-20` is 100 chunks, one per 20 ms; a pause of 0 sends all at once. Of a model of
// another name it is one chunk, because programs ask for models of their own too.
// `GET /open` tells how many streams are under way.
import { createServer } from 'node:net';
import { MODELS } from './answers.mjs';
import { endWithParent } from './end-with-parent.mjs';
import { HttpReader } from './http-reader.mjs';
import { wireOf } from './wires.mjs';

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n';
let openStreams = 0;

function whole(json, status = '200 OK') {
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
}

function piece(text) {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function startStream(socket, model, events) {
  const [, count = 1, pause = 0] = /stream-(\d+)-(\d+)$/.exec(model)?.map(Number) ?? [];
  const started = performance.now();
  let sent = 0;
  let timer;
  openStreams += 1;

  const leave = () => {
    openStreams -= 1;
    clearTimeout(timer);
    socket.off('close', leave);
  };
  const send = () => {
    const isFirst = sent === 0;
    let text = isFirst ? events.role : '';
    do {
      text += events.text(sent);
      sent += 1;
    } while (pause === 0 && sent < count);
    const last = sent === count;
    if (last) leave();
    const bytes = piece(last ? text + events.end : text) + (last ? '0\r\n\r\n' : '');
    socket.write(isFirst ? STREAM_HEAD + bytes : bytes, 'latin1');
    // Due times count from the start, so that streams that began apart stay apart and never bunch up.
    if (!last) timer = setTimeout(send, Math.max(1, started + sent * pause - performance.now()));
  };
  socket.on('close', leave);
  send();
}

function answer(socket, head, body) {
  const path = head.split(' ', 2)[1];
  const wire = head.startsWith('POST ') ? wireOf(path) : undefined;
  if (wire) {
    const request = JSON.parse(body);
    if (wire.streams(request, path)) startStream(socket, wire.model(request, path), wire.events(request));
    else socket.write(whole(wire.whole), 'latin1');
  } else if (head.startsWith('GET /v1/models ')) socket.write(whole(MODELS));
  else if (head.startsWith('GET /open ')) socket.write(whole(JSON.stringify({ open: openStreams })));
  else if (head.startsWith('GET /health ')) socket.write(whole('{}'));
  else socket.write(whole('{}', '404 Not Found'));
}

const server = createServer({ noDelay: true }, (socket) => {
  let head = '';
  let body = '';
  const reader = new HttpReader({
    head: (text) => {
      head = text;
      body = '';
    },
    body: (text) => {
      body += text;
    },
    end: () => answer(socket, head, body),
  });
  socket.setEncoding('latin1');
  socket.on('data', (text) => reader.push(text));
  // A target that is killed resets its connections; the close event that follows is enough.
  socket.on('error', () => {});
});

endWithParent();
server.listen(Number(process.argv[2]), '127.0.0.1', 4096);
