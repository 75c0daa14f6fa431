import assert from 'node:assert';
import type { DriverErrorCode } from '../../../contract/api';
import { isDriverError, type DriverError } from '../../../contract/driver-error';
import { messageOf } from '../../../errors';
import type { ScriptedFailure, Situation } from '../../fakes/backend';
import { defineCases } from '../case-definition';
import { readAnswer } from '../read-answer';
import { ask, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { ConformanceError, failed } from '../within';

const WORDS = 'kit-words-of-the-backend';

const FAILURES: Record<ScriptedFailure['fault'], ScriptedFailure> = {
  auth: { fault: 'auth', status: 401, message: `Invalid credentials: ${WORDS}` },
  rejected: { fault: 'rejected', status: 404, message: `No such model: ${WORDS}` },
  rate_limited: { fault: 'rate_limited', status: 429, message: `Rate limit reached: ${WORDS}` },
  upstream: { fault: 'upstream', status: 500, message: `Internal error: ${WORDS}` },
};

export const failureCases = defineCases('failure', {
  auth: ['a refused key or login is auth', ['auth'], (stage) => fails(stage, 'auth')],
  rejected: ['a refused request is rejected', ['rejected'], (stage) => fails(stage, 'rejected')],
  'rate-limited': ['a limit is rate_limited', ['rate_limited'], (stage) => fails(stage, 'rate_limited')],
  'retry-after': [
    'a limit says when to try again, where the backend does',
    ['kind:http', 'rate_limited'],
    async (stage) => {
      const { retryAfterS } = await failure(stage, { type: 'failure', ...FAILURES.rate_limited });
      assert.equal(retryAfterS, 7);
    },
  ],
  upstream: ['a broken backend is upstream', ['upstream'], (stage) => fails(stage, 'upstream')],
  words: [
    "the message of a failure holds the backend's own words",
    ['upstream'],
    async (stage) => {
      const { message } = await failure(stage, { type: 'failure', ...FAILURES.upstream });
      assert.ok(message.includes(WORDS), `the message is: ${message}`);
    },
  ],
  status: [
    "a failure carries the backend's HTTP status",
    ['kind:http', 'upstream'],
    async (stage) => {
      const { status } = await failure(stage, { type: 'failure', ...FAILURES.upstream });
      assert.equal(status, 500);
    },
  ],
  'missing-key': [
    'a key whose variable is not set is auth, before anything is sent',
    ['option:api_key_env'],
    async (stage) => {
      stage.hasKey = false;
      await expectCode(stage, { type: 'answer', answer: scripted() }, 'auth');
      assert.equal(stage.backend.received().length, 0);
    },
  ],
  'nobody-there': [
    'a server that refuses connections is unreachable',
    ['kind:http', 'absent'],
    (stage) => expectCode(stage, { type: 'absent' }, 'unreachable'),
  ],
  'not-installed': [
    'a program that is not there is not_installed',
    ['kind:cli', 'absent'],
    (stage) => expectCode(stage, { type: 'absent' }, 'not_installed'),
  ],
  garbage: [
    'output that cannot be understood is protocol',
    ['garbage'],
    (stage) => expectCode(stage, { type: 'garbage' }, 'protocol'),
  ],
  'cut-short': [
    'a streamed answer that ends halfway is protocol, never an answer',
    ['cut'],
    (stage) => expectCode(stage, { type: 'cut', answer: scripted(), reset: false }, 'protocol'),
  ],
  'cut-short-whole': [
    'a single-shot answer that ends halfway is protocol, never an answer',
    ['cut'],
    (stage) => expectCode(stage, { type: 'cut', answer: scripted(), reset: false }, 'protocol', false),
  ],
  'connection-reset': [
    'a connection that is reset halfway is protocol or unreachable',
    ['kind:http', 'cut'],
    (stage) => expectCode(stage, { type: 'cut', answer: scripted(), reset: true }, ['protocol', 'unreachable']),
  ],
  crash: [
    'a program that is killed halfway is upstream or protocol',
    ['kind:cli', 'cut'],
    (stage) => expectCode(stage, { type: 'cut', answer: scripted(), reset: true }, ['upstream', 'protocol']),
  ],
  'after-failure': [
    'a driver answers again after a failure',
    ['upstream'],
    async (stage) => {
      await failure(stage, { type: 'failure', ...FAILURES.upstream });
      await stage.script({ type: 'answer', answer: scripted() });
      assert.equal((await stage.chat(ask(scripted()))).finish, 'stop');
    },
  ],
});

async function fails(stage: Stage, fault: ScriptedFailure['fault']): Promise<void> {
  for (const stream of [true, false]) await expectCode(stage, { type: 'failure', ...FAILURES[fault] }, fault, stream);
}

async function expectCode(
  stage: Stage,
  situation: Situation,
  codes: DriverErrorCode | DriverErrorCode[],
  stream = true,
): Promise<void> {
  const error = await failure(stage, situation, stream);
  if (!codes.includes(error.code))
    throw failed(`the code is ${error.code}, expected ${String(codes)}: ${error.message}`);
}

/** The failure that a chat ends with, which has to be one of the contract. */
async function failure(stage: Stage, situation: Situation, stream = true): Promise<DriverError> {
  await stage.script(situation);
  let text: string;
  try {
    const answer = await readAnswer(await stage.start(ask(scripted(), { stream })));
    text = `the chat ended as an answer: ${JSON.stringify(answer.events.slice(-3))}`;
  } catch (error) {
    if (isDriverError(error)) return error;
    if (error instanceof ConformanceError) throw error;
    text = `it is no error of context.error(...): ${messageOf(error)}`;
  }
  throw failed(text);
}
