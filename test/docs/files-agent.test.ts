import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configAt } from '../../core/config/find-config';
import { TrustStore } from '../../core/config/trust-store';
import { Agents } from '../agents/agents';
import { say, script, use } from '../agents/scripted-agent';
import { repository } from '../setup/repository';

const example = join(repository, 'docs/examples/files-agent');
const server = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

test('the agent of the example reads and edits a file through the reference server, and no other', async () => {
  const agents = Agents.open({
    files: (home) => {
      const work = join(home.directory, 'work');
      cpSync(example, work, { recursive: true });
      const file = join(work, '.drivebay/mcp.json');
      const text = readFileSync(file, 'utf8');
      // Where npx would download it.
      const local = text
        .replace('"npx"', JSON.stringify(process.execPath))
        .replace(/"-y", "[^"]+"/, JSON.stringify(server));
      expect(local).not.toBe(text);
      writeFileSync(file, local);
      new TrustStore(join(home.directory, '.local/state/drivebay')).add('trusted', {
        file,
        text: configAt(file).document.text!,
      });
      return { 'work/.keep': '' };
    },
  });
  const garden = join(agents.home.directory, 'work/notes/garden.md');
  const edits = [{ oldText: 'beans: not sown yet', newText: 'beans: sown in May' }];
  const ended = await agents.run(
    script(
      [use('mcp_files_list_directory', { path: 'notes' }), use('mcp_files_read_text_file', { path: garden }, 1)],
      [use('mcp_files_edit_file', { path: garden, edits })],
      [use('mcp_files_read_text_file', { path: join(agents.home.directory, 'work/agent.yaml') })],
      [use('mcp_files_move_file', { source: garden, destination: '/tmp/x' })],
      [say('I noted that the beans are sown.')],
    ),
  );
  expect(ended.end).toMatchObject({ state: 'done' });
  expect(ended.text).toBe('I noted that the beans are sown.');
  const [listed, read, edited, outside, notAllowed] = ended.of('tool_result');
  expect(listed).toMatchObject({ isError: true });
  expect(read!.text).toContain('beans: not sown yet');
  expect(edited!.text).toContain('+- beans: sown in May');
  expect(readFileSync(garden, 'utf8')).toContain('- beans: sown in May');
  expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('outside allowed directories') });
  expect(notAllowed!.text).toMatch(/refused: there is no tool "mcp_files_move_file", only mcp_files_/);
});
