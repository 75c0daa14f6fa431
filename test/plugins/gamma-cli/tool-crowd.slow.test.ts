/** Fifty clients whose tools the model calls, all in the sessions of one program. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { TempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';
import { CLIENTS, SECONDS, ToolCrowd } from '../tool-crowd';
import { toolCallingProgram } from './tool-calling-program';

const home = new TempHome();
const program = toolCallingProgram(home.directory);

afterAll(() => home.remove());

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'weather', parameters } }];

test(
  'every answer is right, or an honest error, and nothing is left',
  async () => {
    const entry = { name: 'gemini', driver: 'gemini-cli', command: program.command, default_model: 'm' };
    const limits = { max_concurrency: CLIENTS, max_queue: CLIENTS, grace_sec: 1 };
    home.configure(JSON.stringify({ version: '1', providers: [{ ...entry, ...limits }] }));
    const crowd = new ToolCrowd(home, {
      ...{ model: 'gemini', tools, killEveryMs: 3_000, living: program.processes },
      question: (number) => `Weather city-${number}`,
      isCall: (args, number) => args === `{"city":"city-${number}"}`,
      isRight: (text, _number, value) => text === value,
    });
    await crowd.run();
    const { counts } = crowd;
    expect(counts.wrong).toEqual([]);
    expect(counts.right).toBeGreaterThan(SECONDS);
    expect(Math.min(counts.honest.length, counts.left)).toBeGreaterThan(0);
    await until(() => program.processes().length === 0);
    const scratch = join(home.directory, '.local/state/drivebay/scratch');
    expect(existsSync(scratch) ? readdirSync(scratch, { recursive: true }) : []).toEqual([]);
    const own = readdirSync(join(home.directory, '.gemini'), { recursive: true, withFileTypes: true });
    expect(own.filter((found) => found.isFile()).map(({ name }) => name)).toEqual(['projects.json']);
  },
  SECONDS * 1000 + 120_000,
);
