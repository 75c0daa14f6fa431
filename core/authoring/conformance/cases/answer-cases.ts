import assert from 'node:assert';
import type { ChatEvent } from '../../../contract/api';
import { checkEvent } from '../../../providers/check-event';
import { nameUnknownType, unknownFields } from '../../../providers/event-names';
import { defineCases, rule } from '../case-definition';
import { readUntilText } from '../read-answer';
import { ask, callerOf, gate, MODES, scripted, textOf } from '../../fakes/requests';
import { ConformanceError, within } from '../within';

export const answerCases = defineCases('answer', {
  'text-streamed': rule('a streamed answer contains the text of all its pieces', [], async (stage) =>
    assert.equal((await stage.answer()).text, textOf(scripted())),
  ),
  'text-whole': rule('a single-shot answer has the same text', [], async (stage) =>
    assert.equal((await stage.answer({}, { stream: false })).text, textOf(scripted())),
  ),
  pieces: rule('a streamed answer arrives in several text events', ['pieces'], async (stage) => {
    const { events } = await stage.answer();
    const texts = events.filter((event) => event.type === 'text' && event.text !== '');
    assert.ok(texts.length > 1, 'the whole text came in one event');
  }),
  'before-the-end': rule(
    'text reaches the client while the backend is still answering',
    ['pieces', 'hold'],
    async (stage) => {
      const { hold, release } = gate();
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
  ),
  'split-bytes': rule('characters and lines survive a split across two reads', ['bytes'], async (stage) => {
    const pieces = ['Grüße, ', '漢字 ', '\u{1F600}\u{1F468}\u{200D}\u{1F469} ', 'a\u2028b\u2029c ', 'ñ\r\n', 'end'];
    for (const stream of MODES) {
      for (const split of [1, 3]) {
        const { text } = await stage.answer({ pieces }, { stream }, { split });
        assert.equal(text, pieces.join(''), `stream: ${stream}, ${split} bytes at a time`);
      }
    }
  }),
  long: rule('an answer of half a mebibyte in one piece arrives whole', [], async (stage) => {
    const long = scripted({ pieces: ['The beginning. ', 'é'.repeat(256 * 1024), ' The end.'] });
    const { text } = await stage.answer(long);
    assert.equal(text.length, textOf(long).length);
    assert.ok(text === textOf(long), 'the text has the right length, but a different content');
  }),
  usage: rule('token counts equal those of the backend, cached input included', ['usage'], async (stage) => {
    const expected = { inputTokens: 1234, outputTokens: 56, cachedInputTokens: 1000 };
    for (const stream of MODES) {
      const { usage } = await stage.answer({ usage: expected }, { stream });
      assert.ok(usage, `no usage event with stream: ${stream}`);
      assert.deepEqual([usage.inputTokens, usage.outputTokens], [1234, 56], 'inputTokens and outputTokens');
      if (usage.cachedInputTokens !== undefined) assert.equal(usage.cachedInputTokens, 1000);
    }
  }),
  'usage-none': rule(
    'a driver reports no token counts if the backend reports none',
    ['received', 'without:usage'],
    async (stage) => {
      for (const stream of MODES) {
        const { usage } = await stage.answer({}, { stream });
        if (usage)
          throw new ConformanceError(`there is a usage event with stream: ${stream}, and the backend sent no counts`);
      }
    },
  ),
  counts: rule('token counts are whole numbers, and come before the finish', [], async (stage) => {
    const { events } = await stage.answer();
    events.forEach((event, index) => {
      if (event.type !== 'usage') return;
      for (const count of [event.inputTokens, event.outputTokens, event.cachedInputTokens ?? 0]) {
        assert.ok(Number.isInteger(count) && count >= 0, `a count of ${count}`);
      }
      assert.ok(index < events.findIndex(({ type }) => type === 'finish'), 'usage after the finish');
    });
  }),
  finish: rule('finish comes once, as the last event, and meta comes before the first content', [], async (stage) => {
    for (const stream of MODES) {
      const { events } = await stage.answer({}, { stream });
      const types = events.map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'finish').length, 1, `the events were ${types.join(', ')}`);
      assert.equal(types.at(-1), 'finish', `the events were ${types.join(', ')}`);
      const firstContent = types.findIndex((type) => type === 'text' || type === 'reasoning' || type === 'tool_call');
      assert.ok(types.lastIndexOf('meta') < firstContent, 'meta after the first content');
    }
  }),
  'finish-stop': rule('an answer that ended by itself finishes with stop', [], async (stage) =>
    assert.equal((await stage.answer()).finish, 'stop'),
  ),
  'finish-length': rule('an answer that ran into the token limit finishes with length', ['length'], async (stage) => {
    for (const stream of MODES) assert.equal((await stage.answer({ finish: 'length' }, { stream })).finish, 'length');
  }),
  empty: rule('an empty answer gives no text and fails with upstream', ['empty'], async (stage) => {
    await stage.script({ type: 'answer', answer: scripted({ pieces: [] }) });
    const texts: string[] = [];
    const emit = (event: ChatEvent) => void (event.type === 'text' && texts.push(event.text));
    const turn = stage.provider().chat(ask(''), callerOf('kit-empty'), emit);
    await assert.rejects(within(turn, 'the answer did not end'), { code: 'upstream' });
    assert.deepEqual(texts, []);
  }),
  reasoning: rule('reasoning is kept apart from the text', ['reasoning'], async (stage) => {
    for (const stream of MODES) {
      const answer = await stage.answer({ reasoning: 'Let me think.' }, { stream });
      assert.equal(answer.reasoning, 'Let me think.');
      assert.equal(answer.text, textOf(scripted()));
    }
  }),
  'known-events': rule(
    'every event has a type of the contract, because other types have no effect',
    [],
    async (stage) => {
      for (const stream of MODES) {
        for (const event of (await stage.answer({}, { stream })).events) {
          assert.ok(checkEvent(event, 1), `the contract has no event of type ${nameUnknownType(event.type)}`);
        }
      }
    },
  ),
  'known-fields': rule(
    'every field of an event is one of the contract, because others have no effect',
    [],
    async (stage) => {
      for (const stream of MODES) {
        for (const event of (await stage.answer({}, { stream })).events) {
          const unknown = checkEvent(event, 1) ? unknownFields(event) : [];
          if (unknown.length === 0) continue;
          throw new ConformanceError(`the event "${event.type}" has no field ${unknown.join(', ')} in the contract`);
        }
      }
    },
  ),
  'plain-data': rule('events are plain data that survives structuredClone', [], async (stage) => {
    for (const stream of MODES) {
      // Compared as text: under jest the copies have the prototypes of another realm.
      for (const event of (await stage.answer({}, { stream })).events) {
        assert.equal(JSON.stringify(structuredClone(event)), JSON.stringify(event));
      }
    }
  }),
});
