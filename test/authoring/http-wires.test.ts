import { conformanceCases, httpBackend, type HttpPiece, json, sse } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';

/** Sends bare texts, not JSON. */
const DRIVER = `
module.exports = (context) => ({
  async *chat(request, call) {
    const response = await context.http.request(context.options.base_url, { method: 'POST', signal: call.signal, body: '{}' });
    for await (const data of response.events()) yield { type: 'text', text: data };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});`;

const home = tempHome();
const event = (text: string): HttpPiece[] => ['data: ', `${text}\n`, 5, '\n'];

test.each([
  ['texts that begin with a space, and waits', (pieces: string[]) => sse(pieces.flatMap(event))],
  ['lines that end with CR LF already', (pieces: string[]) => sse(pieces.map((text) => `data: ${text}\r\n\r\n`))],
  [
    'single bytes',
    (pieces: string[]) =>
      sse(
        [
          ...Buffer.from(
            pieces
              .flatMap(event)
              .filter((piece) => typeof piece === 'string')
              .join(''),
          ),
        ].map((byte) => Uint8Array.of(byte)),
      ),
  ],
])('a right driver passes the case of other line ends where its wire has %s', async (_name, answer) => {
  const directory = home.plugin('bare', { code: DRIVER, manifest: { kind: 'http', options: { base_url: {} } } });
  const backend = httpBackend({
    options: (url) => ({ base_url: url }),
    answer: ({ pieces }) => answer(pieces),
    failure: ({ status, message }) => json({ error: message }, { status }),
    received: () => ({ texts: [] }),
  });
  const { run } = conformanceCases({ directory, backend }).find(({ id }) => id === 'answer.line-ends')!;
  await run();
});
