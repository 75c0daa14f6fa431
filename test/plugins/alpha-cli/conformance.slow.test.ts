import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliBackend, type CliWire } from 'drivebay/testing';
import { repository } from '../../setup/repository';
import { hostCases } from '../../authoring/host-cases';
import { valueAfter, WARM } from '../cli-harness';
import { conversation, isSession, sentBy, settingsIn, textIn, toolsIn } from './conversation';
import { SESSION_HELP } from './help';
import { answerLines, failedResult, init, synthetic } from './lines';

/** How Claude Code speaks. */
const wire: CliWire = {
  options: (command) => ({ command, warm: WARM }),
  probe: ({ argv }) => (argv.includes('--help') ? [SESSION_HELP] : argv.includes('-p') ? undefined : ['2.1.197']),
  answer: (answer) => answerLines(answer),
  failure({ status, message, fault }) {
    const classes = {
      auth: 'authentication_failed',
      rejected: 'model_not_found',
      rate_limited: 'rate_limit',
      upstream: 'server_error',
    };
    return [init(), synthetic(message, classes[fault]), failedResult(message, status), { exit: 1 }];
  },
  converse: (play) => conversation({ answer: (_line, run) => play(run) }),
  received(run) {
    const { argv, env, stdin } = run;
    const file = valueAfter(argv, '--system-prompt-file');
    const { systemPrompt, variables } = isSession(run) ? settingsIn(run) : { variables: env };
    const system = file === undefined ? systemPrompt : readFileSync(file, 'utf8');
    const texts = isSession(run) ? sentBy(run).map((line) => textIn(line)) : [stdin ?? ''];
    const { CLAUDE_CODE_MAX_OUTPUT_TOKENS: maxTokens, CLAUDE_CODE_EXTRA_BODY: extra = '{}' } = variables;
    const { temperature, top_p: topP, stop_sequences: stop } = JSON.parse(extra) as Record<string, never>;
    const tools = isSession(run) ? toolsIn(run).map(({ name }) => String(name)) : [];
    return {
      model: valueAfter(argv, '--model'),
      texts: [...(system === undefined ? [] : [system]), ...texts],
      maxTokens: maxTokens === undefined ? undefined : Number(maxTokens),
      ...{ temperature, topP, stop },
      reasoningEffort: valueAfter(argv, '--effort'),
      key: env.ANTHROPIC_API_KEY,
      ...(tools.length > 0 && { tools }),
    };
  },
  cannot: {
    toolCalls: 'the program waits for the results of a call, which client-tools.slow.test.ts plays',
    signatures: 'calls have none',
  },
};

describe('the driver for Claude Code', () => {
  hostCases({ directory: join(repository, 'plugins/alpha-cli'), backend: cliBackend(wire), keeps: WARM });
});
