import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openServer } from '../devices/mcp/open-server';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';
import { casesOf, expectNoStack, MANY } from './hold';
import { serverFrames } from './mcp-frames';

/** So many questions have numbers that a frame may have, too. */
const TAKEN = 5;
/** More than a server may say between two questions of ours would end it. */
const AT_ONCE = 5_000;

test('whatever a tool server says unasked, it stays in use, and its answers are found', async () => {
  const folder = tempFolder();
  const frames = casesOf(serverFrames, MANY);
  const rounds = Math.ceil(frames.length / AT_ONCE);
  for (let round = 0; round < rounds; round += 1) {
    const said = frames.slice(round * AT_ONCE, (round + 1) * AT_ONCE);
    writeFileSync(join(folder, String(round)), `${said.join('\n')}\n`);
  }
  const program = { command: process.execPath, args: [join(repository, 'test/fixtures/mcp/says.cjs'), folder] };
  const { call, names, lines, server } = openServer(program);
  const broken: unknown[] = [];
  const note = (error: unknown) => void broken.push(error);
  process.on('unhandledRejection', note);
  try {
    for (let round = 0; round < rounds + TAKEN; round += 1) expectNoStack(await call('say'));
    // No frame has the number of this question.
    expect(await names()).toEqual(['say']);
  } finally {
    process.off('unhandledRejection', note);
  }
  expect(broken).toEqual([]);
  expect(server.activity).toMatchObject({ running: 1, fault: null });
  expect(lines.length).toBeGreaterThan(rounds);
  for (const line of lines) expectNoStack(line);
});
