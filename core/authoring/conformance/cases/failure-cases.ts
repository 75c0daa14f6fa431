import assert from 'node:assert';
import type { DriverErrorCode } from '../../../contract/api';
import { isDriverError, type DriverError } from '../../../contract/driver-error';
import { messageOf } from '../../../errors';
import type { ScriptedFailure, Situation } from '../../fakes/backend';
import { defineCases, rule } from '../case-definition';
import { readAnswer } from '../read-answer';
import { ask, MODES, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { ConformanceError } from '../within';

const WORDS = 'kit-words-of-the-backend';

export const FAILURES: Record<ScriptedFailure['fault'], Extract<Situation, { type: 'failure' }>> = {
  auth: { type: 'failure', fault: 'auth', status: 401, message: `Invalid credentials: ${WORDS}` },
  rejected: { type: 'failure', fault: 'rejected', status: 404, message: `No such model: ${WORDS}` },
  rate_limited: { type: 'failure', fault: 'rate_limited', status: 429, message: `Rate limit reached: ${WORDS}` },
  upstream: { type: 'failure', fault: 'upstream', status: 500, message: `Internal error: ${WORDS}` },
};

export const failureCases = defineCases('failure', {
  auth: rule('a refused key or login fails with auth', ['auth'], (stage) => fails(stage, 'auth')),
  rejected: rule('a refused request fails with rejected', ['rejected'], (stage) => fails(stage, 'rejected')),
  'rate-limited': rule('a rate limit fails with rate_limited', ['rate_limited'], (stage) =>
    fails(stage, 'rate_limited'),
  ),
  'retry-after': rule(
    'a rate limit says when to try again, if the backend says so',
    ['kind:http', 'rate_limited'],
    async (stage) => {
      const { retryAfterS } = await failure(stage, FAILURES.rate_limited);
      if (retryAfterS !== 7) throw new ConformanceError(`retryAfterS is ${retryAfterS}, and the backend said 7 s`);
    },
  ),
  upstream: rule('an error of the backend fails with upstream', ['upstream'], (stage) => fails(stage, 'upstream')),
  words: rule("the message of a failure holds the backend's own words", ['upstream'], async (stage) => {
    const { message } = await failure(stage, FAILURES.upstream);
    assert.ok(message.includes(WORDS), `the message is: ${message}`);
  }),
  midway: rule(
    "a failure in the middle of a streamed answer ends it as a failure, with the backend's own words",
    ['pieces', 'upstream', 'interruption'],
    async (stage) => {
      const { message } = await failure(stage, { ...FAILURES.upstream, after: scripted() });
      assert.ok(message.includes(WORDS), `the message is: ${message}`);
    },
  ),
  status: rule("a failure carries the backend's HTTP status", ['kind:http', 'upstream'], async (stage) => {
    const { status } = await failure(stage, FAILURES.upstream);
    const advice = 'where it tells failures otherwise, name this case in exclude';
    if (status !== 500) throw new ConformanceError(`status is ${status}, and the backend answered 500: ${advice}`);
  }),
  'missing-key': rule(
    'a key whose variable is not set fails with auth, before any request is sent',
    ['option:api_key_env'],
    async (stage) => {
      stage.hasKey = false;
      await expectCode(stage, { type: 'answer', answer: scripted() }, 'auth');
      assert.equal(stage.received().length, 0);
    },
  ),
  'nobody-there': rule('a server that refuses connections fails with unreachable', ['kind:http', 'absent'], (stage) =>
    expectCode(stage, { type: 'absent' }, 'unreachable'),
  ),
  'not-installed': rule('a missing program fails with not_installed', ['kind:cli', 'absent'], (stage) =>
    expectCode(stage, { type: 'absent' }, 'not_installed'),
  ),
  garbage: rule('output that the driver cannot parse fails with protocol', ['garbage'], (stage) =>
    expectCode(stage, { type: 'garbage' }, 'protocol'),
  ),
  'cut-short': rule('a streamed answer that ends halfway fails with protocol', ['cut', 'end'], (stage) =>
    cutShort(stage, { reset: false }, 'protocol'),
  ),
  'cut-short-whole': rule('a single-shot answer that ends halfway fails with protocol', ['cut', 'end'], (stage) =>
    cutShort(stage, { reset: false }, 'protocol', false),
  ),
  'connection-reset': rule(
    'a connection reset halfway fails with protocol or unreachable',
    ['kind:http', 'cut'],
    (stage) => cutShort(stage, { reset: true }, ['protocol', 'unreachable']),
  ),
  crash: rule('a program killed halfway fails with upstream or protocol', ['kind:cli', 'cut'], (stage) =>
    cutShort(stage, { reset: true }, ['upstream', 'protocol']),
  ),
  'exit-code': rule(
    'a program that ends halfway with an exit code other than 0 fails with upstream or protocol',
    ['kind:cli', 'cut'],
    (stage) => cutShort(stage, { reset: false, exitCode: 1 }, ['upstream', 'protocol']),
  ),
  forbidden: rule('status 403 fails with auth', ['kind:http', 'auth'], (stage) =>
    expectCode(stage, { ...FAILURES.auth, status: 403 }, 'auth'),
  ),
  'bad-request': rule('status 400 fails with rejected', ['kind:http', 'rejected'], (stage) =>
    expectCode(stage, { ...FAILURES.rejected, status: 400 }, 'rejected'),
  ),
  unavailable: rule('status 503 fails with upstream', ['kind:http', 'upstream'], (stage) =>
    expectCode(stage, { ...FAILURES.upstream, status: 503 }, 'upstream'),
  ),
  once: rule(
    'a failed request is not sent again, unless a trace event whose name ends in .retry reports it',
    ['upstream', 'received'],
    async (stage) => {
      await failure(stage, FAILURES.upstream);
      const retries = stage.traces.filter(({ event }) => event.endsWith('.retry')).length;
      const sent = stage.received().length;
      const who = 'retries are up to the client and to Drivebay';
      if (sent > retries + 1) throw new ConformanceError(`the request was sent ${sent} times: ${who}`);
    },
  ),
  details: rule('the message and the details of an error have the types of the contract', [], async (stage) => {
    for (const situation of Object.values(FAILURES).filter(({ fault }) => stage.can(fault))) {
      await failure(stage, situation);
    }
    const wrong = stage.logs.find(({ message }) => message.includes('gives context.error a detail'));
    if (wrong) throw new ConformanceError(wrong.message);
  }),
  'after-failure': rule('a driver answers again after a failure', ['upstream'], async (stage) => {
    await failure(stage, FAILURES.upstream);
    assert.equal((await stage.answer()).finish, 'stop');
  }),
});

async function fails(stage: Stage, fault: ScriptedFailure['fault']): Promise<void> {
  for (const stream of MODES) await expectCode(stage, FAILURES[fault], fault, stream);
}

async function expectCode(
  stage: Stage,
  situation: Situation,
  codes: DriverErrorCode | DriverErrorCode[],
  stream = true,
): Promise<void> {
  const error = await failure(stage, situation, stream);
  if (!codes.includes(error.code))
    throw new ConformanceError(`the code is ${error.code}, expected ${String(codes)}: ${error.message}`);
}

/** The answer ends within a line or an event, and between two of them: then nothing that arrived is broken. */
async function cutShort(
  stage: Stage,
  cut: { reset: boolean; exitCode?: number },
  codes: DriverErrorCode | DriverErrorCode[],
  stream = true,
): Promise<void> {
  for (const between of [false, true]) {
    await expectCode(stage, { type: 'cut', answer: scripted(), between, ...cut }, codes, stream);
  }
}

/** The failure at the end of a chat. It must be an error of the contract. */
async function failure(stage: Stage, situation: Situation, stream = true): Promise<DriverError> {
  await stage.scriptChats(situation);
  let text: string;
  try {
    const answer = await readAnswer(await stage.start(ask(scripted(), { stream })));
    text = `the chat ended as an answer: ${JSON.stringify(answer.events.slice(-3))}`;
  } catch (error) {
    if (isDriverError(error)) return error;
    if (error instanceof ConformanceError) throw error;
    text = `the error does not come from context.error(...): ${messageOf(error)}`;
  }
  throw new ConformanceError(text);
}
