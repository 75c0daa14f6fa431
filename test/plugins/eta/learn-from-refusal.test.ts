import type { ChatRequest, DriverFailure } from 'drivebay/plugin';
import { learnFromRefusal } from '../../../plugins/eta/learn-from-refusal';
import { Habits } from '../../../plugins/eta/model-habits';
import { toRequestBody } from '../../../plugins/eta/request-body';
import { Thoughts } from '../../../plugins/eta/thoughts';
import { DriverError } from '../../../core/contract/driver-error';
import { chatRequest } from '../harness';

const makeError = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
const without = { thoughts: false, breakpoints: false };

/** Two requests are on their way at once, and both are refused in the same words: what each has learned. */
function learnTwice(habits: Habits, request: Partial<ChatRequest>, words: string): (string | undefined)[] {
  const parts = { habits, thoughts: new Thoughts(), makeError, without };
  const both = [1, 2].map(() => toRequestBody(chatRequest(request), parts));
  const failure = new DriverError('rejected', `host answered 400: ${words}`, { status: 400 }) as DriverFailure;
  return both.map((sent) => learnFromRefusal(failure, sent, habits, without));
}

describe('of two requests that are refused at once, the second is asked again, too,', () => {
  test('without strict tools', () => {
    const words = 'tools.0.custom.strict: Extra inputs are not permitted';
    const learned = learnTwice(new Habits(), { tools: [{ name: 'f', strict: true }] }, words);
    expect(learned).toEqual(['strict tools', 'strict tools']);
  });

  test('without what is refused of its thinking, and no more', () => {
    const habits = new Habits();
    const words = 'thinking.adaptive.display: Extra inputs are not permitted';
    expect(learnTwice(habits, { reasoningEffort: 'high' }, words)).toEqual(['thinking.display', 'thinking.display']);
    expect(habits).toMatchObject({ takesDisplay: false, takesAdaptive: true });
  });
});

test('strict of a tool that goes as it is stays the client’s', () => {
  const tools = [{ name: 'x', raw: { type: 'custom_20270101', name: 'x', strict: true } }];
  expect(learnTwice(new Habits(), { tools }, 'tools.0.strict: Extra inputs are not permitted')).toEqual([
    undefined,
    undefined,
  ]);
});
