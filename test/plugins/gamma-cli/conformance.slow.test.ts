import { join } from 'node:path';
import { cliBackend, conformanceCases } from 'drivebay/testing';
import { repository } from '../../setup/repository';
import { hostCases } from '../../authoring/host-cases';
import { geminiWire, qwenWire } from './wires';

const directory = join(repository, 'plugins/gamma-cli');

describe('the bundled driver in front of Gemini CLI', () => {
  const elsewhere = 'the program asks for its tools by itself, which client-tools.slow.test.ts plays';
  const tools = ['tools.offered', 'tools.described', 'tools.bare', 'tools.choice-none', 'parts.result-images'];
  // They have the calls of an earlier turn, which a session alone can hold.
  const ids = [...tools, 'tools.earlier-calls', 'request.odd-messages'];
  const exclude = Object.fromEntries(ids.map((id) => [id, elsewhere]));
  hostCases({ directory, backend: cliBackend(geminiWire), exclude });
});

// What becomes of the process does not depend on its dialect.
describe('the bundled driver in front of Qwen Code', () => {
  const cases = conformanceCases({ directory, backend: cliBackend(qwenWire) });
  const asked = cases.filter(({ id, excluded }) => excluded === undefined && /^(answer|failure|request)\./.test(id));
  for (const { id, name, run } of asked) test.concurrent(`${id}: ${name}`, run);
});
