import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeHttpServer } from 'drivebay/testing';
import { type ProgramOptions, runProgram } from '../setup/run-program';
import { RunningGateway } from '../setup/running-gateway';
import { cliPath } from '../setup/run-cli';
import { TempHome } from '../setup/temp-home';
import { posts } from '../setup/upstream';
import { calls, ClaudeStage } from './claude-stage';
import { CodexStage } from './codex-stage';
import { installedCli } from './installed-cli';
import { deciding } from './scripted-wires';

const PROMPT = 'What does the other model say?';
const ANSWER = 'It says 42.';
const SERVER = [process.execPath, cliPath, 'mcp', 'serve'];

async function run(program: string, words: string[], options: ProgramOptions) {
  const { code, stdout, stderr } = await runProgram(installedCli(program), words, options);
  return { code, output: stdout + stderr };
}

test('Claude Code, set up by one line, asks another model and gets its answer', async () => {
  const stage = await ClaudeStage.start();
  try {
    const cwd = stage.project();
    const env = stage.environment('anthropic');
    const added = await run('claude', ['mcp', 'add', 'drivebay', '--', ...SERVER], { cwd, env });
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('drivebay') });
    const wanted = calls(['mcp__drivebay__ask', { prompt: PROMPT, model: 'gemini' }]);
    stage.script(wanted, { pieces: [ANSWER] }, { pieces: ['Done.'] });
    const { code, result, output } = await stage.ask('work', { model: 'anthropic', cwd });
    expect({ code, result, output }).toEqual({ code: 0, result: 'Done.', output });
    expect(stage.chats('gemini').map(({ text }) => text)).toEqual([expect.stringContaining(PROMPT)]);
    expect(stage.chats('anthropic').at(-1)?.text).toContain(ANSWER);
  } finally {
    await stage.close();
  }
});

test('Codex, set up by one line, asks another model and gets its answer', async () => {
  const stage = await CodexStage.start();
  try {
    mkdirSync(stage.folder);
    const line = ['mcp', 'add', 'drivebay', '--', ...SERVER, '--root', '.'];
    const added = await run('codex', line, { cwd: stage.folder, env: stage.home.environment() });
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('drivebay') });
    const tables = [readFileSync(join(stage.home.directory, '.codex/config.toml'), 'utf8')];
    const wanted = { name: 'mcp__drivebay__ask', args: { prompt: PROMPT, model: 'zeta' } };
    stage.plays({ calls: [wanted] }, { text: ANSWER }, { text: 'Done.' });
    const { code, stdout, stderr } = await stage.exec(['work'], { tables });
    expect({ code, stdout: stdout.trim(), stderr }).toEqual({ code: 0, stdout: 'Done.', stderr });
    const [first, asked, last] = stage.calls;
    expect(asked!.path).toContain('GenerateContent');
    expect([first!.text, asked!.text, last!.text]).toEqual([
      expect.stringContaining('work'),
      expect.stringContaining(PROMPT),
      expect.stringContaining(ANSWER),
    ]);
  } finally {
    await stage.end();
  }
});

test('Gemini CLI, set up by one line, asks another model and gets its answer', async () => {
  const [home, upstream] = [new TempHome(), await FakeHttpServer.start()];
  home.providers(`name: other, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: m-1`);
  home.write('.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }));
  const gateway = await RunningGateway.start([], { env: home.environment() });
  try {
    const cwd = join(home.directory, 'work');
    mkdirSync(cwd);
    const env = home.environment({
      ...{ GOOGLE_GEMINI_BASE_URL: upstream.url, GEMINI_API_KEY: 'key-of-the-test' },
      ...{ GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
    });
    const added = await run('gemini', ['mcp', 'add', 'drivebay', ...SERVER], { cwd, env });
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('drivebay') });
    const wanted = { name: 'mcp_drivebay_ask', args: { prompt: PROMPT, model: 'other' } };
    upstream.answer(
      deciding(({ path, text }) => {
        if (path.includes('/chat/completions')) return { text: ANSWER };
        return text.includes('functionResponse') ? { text: 'Done.' } : { calls: [wanted] };
      }),
    );
    const words = ['-p', 'work', '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo'];
    expect(await run('gemini', words, { cwd, env })).toEqual({ code: 0, output: expect.stringContaining('Done.') });
    const asked = posts(upstream).filter(({ path }) => path.includes('/chat/completions'));
    expect(asked.map(({ text }) => text)).toEqual([expect.stringContaining(PROMPT)]);
    expect(posts(upstream).at(-1)?.text).toContain(ANSWER);
  } finally {
    await gateway.stop();
    await upstream.close();
    home.remove();
  }
});
