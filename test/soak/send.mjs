import { once } from 'node:events';
import { request } from 'node:http';

const LIMIT_MS = 120_000;

/** Sends a request and reads its answer. `leaveAfterMs`: the client goes away then; resolves with `left` in that case. */
export async function send({ path, method = 'POST', headers, body, leaveAfterMs, ...target }, onText) {
  const sent = request({
    host: '127.0.0.1',
    path,
    method,
    timeout: LIMIT_MS,
    headers: { 'content-type': 'application/json', ...headers },
    ...target,
  });
  let left = false;
  const leave = () => {
    left = true;
    sent.destroy();
  };
  const timer = leaveAfterMs === undefined ? undefined : setTimeout(leave, leaveAfterMs);
  sent.on('timeout', () => sent.destroy(new Error(`no answer within ${LIMIT_MS / 1000} s`)));
  try {
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) {
      text += piece;
      onText?.(piece);
    }
    return { status: response.statusCode, text, left };
  } catch (error) {
    if (left) return { status: 0, text: '', left };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A call of the control API. */
export function callSocket(socketPath, options) {
  return send({ socketPath, host: undefined, agent: false, ...options });
}
