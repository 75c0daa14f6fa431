import assert from 'node:assert';
import type { ChatEvent } from '../../../contract/api';
import { checkEvent } from '../../../providers/check-event';
import { defineCases } from '../case-definition';
import { readUntilText } from '../read-answer';
import { ask, scripted, textOf } from '../../fakes/requests';
import type { Stage } from '../stage';
import { within } from '../within';

const MODES = [true, false];

export const answerCases = defineCases('answer', {
  'text-streamed': [
    'a streamed answer is the joined text of its pieces, to the last one',
    [],
    async (stage) => assert.equal((await answered(stage)).text, textOf(scripted())),
  ],
  'text-whole': [
    'a single-shot answer has the same text',
    [],
    async (stage) => assert.equal((await answered(stage, {}, false)).text, textOf(scripted())),
  ],
  pieces: [
    'a streamed answer arrives in several text events',
    ['pieces'],
    async (stage) => {
      const { events } = await answered(stage);
      const texts = events.filter((event) => event.type === 'text' && event.text !== '');
      assert.ok(texts.length > 1, 'the whole text came in one event');
    },
  ],
  'before-the-end': [
    'text is passed on while the backend is still answering',
    ['pieces', 'hold'],
    async (stage) => {
      let release = (): void => undefined;
      const hold = new Promise<void>((resolve) => (release = resolve));
      await stage.script({ type: 'answer', answer: scripted(), hold });
      const events = (await stage.start(ask(scripted())))[Symbol.asyncIterator]();
      const read: ChatEvent[] = [];
      try {
        await within(readUntilText(events, read), 'no text arrived before the end of the answer');
      } finally {
        release();
      }
      for (let next = await events.next(); !next.done; next = await events.next()) read.push(next.value);
      assert.equal(read.map((event) => (event.type === 'text' ? event.text : '')).join(''), textOf(scripted()));
    },
  ],
  'split-bytes': [
    'characters and lines that are split across reads come out whole',
    ['bytes'],
    async (stage) => {
      const pieces = ['Grüße, ', '漢字 ', '\u{1F600}\u{1F468}\u{200D}\u{1F469} ', 'a\u2028b\u2029c ', 'ñ\r\n', 'end'];
      for (const stream of MODES) {
        for (const split of [1, 3]) {
          const answer = scripted({ pieces });
          await stage.script({ type: 'answer', answer, split });
          const { text } = await stage.chat(ask(answer, { stream }));
          assert.equal(text, textOf(answer), `stream: ${stream}, ${split} bytes at a time`);
        }
      }
    },
  ],
  long: [
    'an answer of half a mebibyte in one piece arrives whole',
    [],
    async (stage) => {
      const long = scripted({ pieces: ['The beginning. ', 'é'.repeat(256 * 1024), ' The end.'] });
      const { text } = await answered(stage, long);
      assert.equal(text.length, textOf(long).length);
      assert.ok(text === textOf(long), 'the text has the right length, but is another');
    },
  ],
  usage: [
    'the token counts are those of the backend, cached input included',
    ['usage'],
    async (stage) => {
      for (const stream of MODES) {
        const answer = scripted({ usage: { inputTokens: 1234, outputTokens: 56, cachedInputTokens: 1000 } });
        const { usage } = await answered(stage, answer, stream);
        assert.ok(usage, `no usage event with stream: ${stream}`);
        assert.deepEqual([usage.inputTokens, usage.outputTokens], [1234, 56], 'inputTokens and outputTokens');
        if (usage.cachedInputTokens !== undefined) assert.equal(usage.cachedInputTokens, 1000);
      }
    },
  ],
  counts: [
    'token counts are whole numbers, and come before the finish',
    [],
    async (stage) => {
      const { events } = await answered(stage);
      events.forEach((event, index) => {
        if (event.type !== 'usage') return;
        for (const count of [event.inputTokens, event.outputTokens, event.cachedInputTokens ?? 0]) {
          assert.ok(Number.isInteger(count) && count >= 0, `a count of ${count}`);
        }
        assert.ok(index < events.findIndex(({ type }) => type === 'finish'), 'usage after the finish');
      });
    },
  ],
  finish: [
    'finish comes once and last, meta before the first content',
    [],
    async (stage) => {
      for (const stream of MODES) {
        const { events } = await answered(stage, {}, stream);
        const types = events.map(({ type }) => type);
        assert.equal(types.filter((type) => type === 'finish').length, 1, `the events were ${types.join(', ')}`);
        assert.equal(types.at(-1), 'finish', `the events were ${types.join(', ')}`);
        const firstContent = types.findIndex((type) => type === 'text' || type === 'reasoning' || type === 'tool_call');
        assert.ok(types.lastIndexOf('meta') < firstContent, 'meta after the first content');
      }
    },
  ],
  'finish-stop': [
    'an answer that ended by itself finishes with stop',
    [],
    async (stage) => assert.equal((await answered(stage)).finish, 'stop'),
  ],
  'finish-length': [
    'an answer that ran into the token limit finishes with length',
    ['length'],
    async (stage) => {
      for (const stream of MODES) assert.equal((await answered(stage, { finish: 'length' }, stream)).finish, 'length');
    },
  ],
  empty: [
    'an empty answer has no text and is reported as upstream, never as an answer',
    ['empty'],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted({ pieces: [] }) });
      const abort = new AbortController();
      const texts: string[] = [];
      const turn = stage
        .provider()
        .chat(
          ask(''),
          { id: 'kit-empty', asker: { type: 'gateway' }, abort, arrivedAt: Date.now() },
          (event) => void (event.type === 'text' && texts.push(event.text)),
        );
      await assert.rejects(within(turn, 'the answer did not end'), { code: 'upstream' });
      assert.deepEqual(texts, []);
    },
  ],
  reasoning: [
    'reasoning is kept apart from the text',
    ['reasoning'],
    async (stage) => {
      for (const stream of MODES) {
        const answer = await answered(stage, { reasoning: 'Let me think.' }, stream);
        assert.equal(answer.reasoning, 'Let me think.');
        assert.equal(answer.text, textOf(scripted()));
      }
    },
  ],
  'known-events': [
    'events are of the types that the contract has: others have no effect',
    [],
    async (stage) => {
      for (const stream of MODES) {
        for (const event of (await answered(stage, {}, stream)).events) {
          assert.ok(checkEvent(event, 1), `an event of type ${JSON.stringify(event.type)}`);
        }
      }
    },
  ],
  'plain-data': [
    'events are plain data that survives structuredClone',
    [],
    async (stage) => {
      for (const stream of MODES) {
        // Compared as text: under jest the copies have the prototypes of another realm.
        for (const event of (await answered(stage, {}, stream)).events) {
          assert.equal(JSON.stringify(structuredClone(event)), JSON.stringify(event));
        }
      }
    },
  ],
});

async function answered(stage: Stage, fields: Parameters<typeof scripted>[0] = {}, stream = true) {
  const answer = scripted(fields);
  await stage.script({ type: 'answer', answer });
  return stage.chat(ask(answer, { stream }));
}
