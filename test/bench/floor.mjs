// The floor, run as a process of its own: `node floor.mjs PORT UPSTREAM_PORT`.
// It does the least that any gateway on node:http has to do: parse and check the request, serialise it again, call
// the upstream over keep-alive connections, parse the answer or each event and serialise it with its own id and model.
import { Agent, createServer, request as callUpstream } from 'node:http';
import { endWithParent } from './end-with-parent.mjs';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });
let counter = 0;

function readAll(stream, done) {
  const pieces = [];
  stream.on('data', (piece) => pieces.push(piece));
  stream.on('end', () => done(Buffer.concat(pieces).toString()));
}

function sendJson(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function parseRequest(body) {
  try {
    const request = JSON.parse(body);
    return typeof request.model === 'string' && request.messages?.length > 0 ? request : undefined;
  } catch {
    return undefined;
  }
}

function relayStream(upstream, response, stamp) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let rest = '';
  upstream.setEncoding('utf8');
  upstream.on('data', (text) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop();
    // The events of one read leave in one write; paced streams are all about reads and writes.
    let out = '';
    for (const event of events) {
      const data = event.slice('data: '.length);
      out += `data: ${data === '[DONE]' ? data : JSON.stringify({ ...JSON.parse(data), ...stamp })}\n\n`;
    }
    if (out === '' || response.write(out)) return;
    upstream.pause();
    response.once('drain', () => upstream.resume());
  });
  upstream.on('end', () => response.end());
}

function chat(request, response) {
  readAll(request, (text) => {
    const chatRequest = parseRequest(text);
    if (!chatRequest) return sendJson(response, 400, { error: { message: 'invalid request' } });
    const body = JSON.stringify(chatRequest);
    const stamp = { id: `chatcmpl-${(counter += 1)}`, model: chatRequest.model };
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = {
      agent,
      port: upstreamPort,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
    };
    const call = callUpstream(options, (upstream) => {
      upstream.on('error', () => response.destroy());
      if (chatRequest.stream) relayStream(upstream, response, stamp);
      else readAll(upstream, (answer) => sendJson(response, 200, { ...JSON.parse(answer), ...stamp }));
    });
    call.on('error', () => (response.headersSent ? response.destroy() : sendJson(response, 502, { error: {} })));
    response.on('close', () => {
      if (!response.writableFinished) call.destroy();
    });
    call.end(body);
  });
}

// Between two of its requests a real program may start, and be waited for.
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'POST') chat(request, response);
  else sendJson(response, request.url === '/health' ? 200 : 404, {});
});

endWithParent();
server.listen(port, '127.0.0.1', 4096);
