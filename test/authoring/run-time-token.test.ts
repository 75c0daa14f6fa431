import { conformanceCases, httpBackend, json } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';

const TOKEN = 'kit-token-of-the-run-time-0815';
const GET = "const { token } = await (await request('/token', call)).json();";
const SENT = "const response = await request('/chat', call, body);";

/** A driver that asks for a token before each chat, and does this with it. */
function caseOf(use: string, token?: string) {
  const code = HTTP_DRIVER.replace(SENT, `${GET} ${use} ${SENT}`);
  const directory = tempHome().plugin('token-driver', { code, manifest: { ...HTTP_MANIFEST } });
  const probe: typeof sampleHttpWire.probe = (request) =>
    request.path === '/token' ? json({ token: TOKEN }) : sampleHttpWire.probe?.(request);
  const backend = httpBackend({ ...sampleHttpWire, probe, token });
  return conformanceCases({ directory, backend }).find(({ id }) => id === 'secrets.token')!;
}

test('a driver that tells its token passes', () => caseOf('context.hide(token);', TOKEN).run());

test.each([
  ['keeps it to itself', '', 'Drivebay does not know the token of the backend: call context.hide(token) first of all'],
  ['logs it', "call.log.info('got', { token: context.hide(token) });", 'the token is in a log line'],
  ['traces it', "call.trace('got', { token: context.hide(token) });", 'the token is in a trace'],
  ['puts it into an error', "throw context.error('auth', context.hide(token));", 'the token is in an event, an error'],
])('a driver that %s is told so', async (_, use, message) => {
  await expect(caseOf(use, TOKEN).run()).rejects.toThrow(message);
});

test('a wire without a token has no such case', () => {
  expect(caseOf('').excluded).toBe('the backend has no token: its wire has no `token`');
});
