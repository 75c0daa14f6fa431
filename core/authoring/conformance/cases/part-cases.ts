import assert from 'node:assert';
import type { ContentPart } from '../../../contract/api';
import { message } from '../../fakes/requests';
import { defineCases, rule } from '../case-definition';
import type { Stage } from '../stage';

/** Base64 that no other part of a request holds. */
const CONTENT = Buffer.from('kit-content-of-the-client').toString('base64');
const IMAGE: ContentPart = { type: 'image', url: `data:image/png;base64,${CONTENT}` };

export const partCases = defineCases('parts', {
  images: rule('an image of a message reaches the backend', ['capability:images', 'received'], (stage) =>
    arrives(stage, IMAGE),
  ),
  audio: rule('audio of a message reaches the backend', ['capability:audio', 'received'], (stage) =>
    arrives(stage, { type: 'audio', data: CONTENT, format: 'wav' }),
  ),
  files: rule('a file of a message reaches the backend', ['capability:files', 'received'], (stage) =>
    arrives(stage, { type: 'file', data: `data:application/pdf;base64,${CONTENT}`, filename: 'kit.pdf' }),
  ),
  'result-images': rule(
    'an image in the result of a tool reaches the backend',
    ['capability:tools', 'capability:resultImages', 'received'],
    async (stage) => {
      const call = { type: 'tool_call' as const, id: 'call_kit_1', name: 'look', arguments: '{}' };
      const content: ContentPart[] = [{ type: 'text', text: 'Seen.' }, IMAGE];
      await stage.answer(
        {},
        {
          tools: [{ name: 'look', description: 'Takes a picture', parameters: { type: 'object', properties: {} } }],
          messages: [
            message('user', 'What is there?'),
            { role: 'assistant', parts: [call] },
            { role: 'tool', parts: [{ type: 'tool_result', callId: call.id, content }] },
          ],
        },
      );
      assert.ok(stage.lastReceived().raw.includes(CONTENT), 'the image in the result did not arrive');
    },
  ),
});

async function arrives(stage: Stage, part: ContentPart): Promise<void> {
  const { parts } = message('user', 'What is this?');
  await stage.answer({}, { messages: [{ role: 'user', parts: [...parts, part] }] });
  assert.ok(stage.lastReceived().raw.includes(CONTENT), `the content of the part "${part.type}" did not arrive`);
}
