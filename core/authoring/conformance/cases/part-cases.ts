import assert from 'node:assert';
import type { ContentPart } from '../../../contract/api';
import { message } from '../../fakes/requests';
import { defineCases, rule } from '../case-definition';
import type { Stage } from '../stage';

/** Base64 that no other part of a request holds. */
const CONTENT = Buffer.from('kit-content-of-the-client').toString('base64');

export const partCases = defineCases('parts', {
  images: rule('an image of a message reaches the backend', ['capability:images', 'received'], (stage) =>
    arrives(stage, { type: 'image', url: `data:image/png;base64,${CONTENT}` }),
  ),
  audio: rule('audio of a message reaches the backend', ['capability:audio', 'received'], (stage) =>
    arrives(stage, { type: 'audio', data: CONTENT, format: 'wav' }),
  ),
  files: rule('a file of a message reaches the backend', ['capability:files', 'received'], (stage) =>
    arrives(stage, { type: 'file', data: `data:application/pdf;base64,${CONTENT}`, filename: 'kit.pdf' }),
  ),
});

async function arrives(stage: Stage, part: ContentPart): Promise<void> {
  const { parts } = message('user', 'What is this?');
  await stage.answer({}, { messages: [{ role: 'user', parts: [...parts, part] }] });
  assert.ok(stage.lastReceived().raw.includes(CONTENT), `the content of the part "${part.type}" did not arrive`);
}
