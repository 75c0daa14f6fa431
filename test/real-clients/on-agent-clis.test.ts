import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT_AFTER_CALL } from '../setup/client-stage';
import { AGENT_CLIS, agentCliBackend } from './agent-cli-backend';
import { RealClient } from './client-run';
import { prepared } from './prepared';

const COMMAND = 'echo made | tee made.txt';

let client: RealClient;
afterEach(() => client.stage.end());

describe.each(Object.entries(AGENT_CLIS))('on %s', (_, program) => {
  const behind = { backend: agentCliBackend(program) };
  const made = () => readFileSync(join(client.project, 'made.txt'), 'utf8');

  test('opencode edits a file', async () => {
    client = await prepared.opencode(behind);
    client.stage.call = { name: 'bash', arguments: { command: COMMAND, description: 'Make a file' } };
    const { stdout } = await client.run(client.block('sh'));
    expect([made(), stdout.trim()]).toEqual(['made\n', TEXT_AFTER_CALL]);
  });

  test('Cline edits a file', async () => {
    client = await prepared.Cline(behind);
    client.stage.call = { name: 'run_commands', arguments: { commands: [COMMAND] } };
    const { stdout } = await client.run(client.block('sh'));
    expect([made(), stdout]).toEqual(['made\n', expect.stringContaining(TEXT_AFTER_CALL)]);
  });

  test('Continue edits a file', async () => {
    client = await prepared.Continue(behind);
    client.stage.call = { name: 'Bash', arguments: { command: COMMAND } };
    const { stdout } = await client.run(client.block('sh').replace('cn ', 'cn --auto '));
    expect([made(), stdout.trim()]).toEqual(['made\n', TEXT_AFTER_CALL]);
  });

  test('the Vercel AI SDK edits a file', async () => {
    client = await RealClient.start('Vercel AI SDK', {}, behind);
    client.stage.call = { name: 'write', arguments: { text: 'made\n' } };
    const { stdout, stderr } = await client.runModule(`
      import { writeFileSync } from 'node:fs';
      import { createAnthropic } from '@ai-sdk/anthropic';
      import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
      const model = createAnthropic({ baseURL: '${client.stage.gateway.url}/v1', apiKey: 'unused' })('local');
      const inputSchema = jsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
      const execute = ({ text }) => (writeFileSync('${client.project}/made.txt', text), 'written');
      const write = tool({ description: 'Writes the file', inputSchema, execute });
      const stopWhen = stepCountIs(3);
      const { text } = await generateText({ model, prompt: 'Make it', tools: { write }, stopWhen, maxRetries: 0, maxOutputTokens: 100 });
      console.log(text);`);
    expect(stderr).toBe('');
    expect([made(), stdout.trim()]).toEqual(['made\n', TEXT_AFTER_CALL]);
  });
});
