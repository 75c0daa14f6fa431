import { HEALTHY } from '../../setup/driver-code';
import type { RunningGateway } from '../../setup/running-gateway';

/**
 * A driver that answers with `word`, its option `say`, and the name of its instance. It waits for the file that a message names,
 * and says in the log when it closes.
 */
export const gated = (word: string) => `const { existsSync } = require('node:fs');
module.exports = ({ log, options, apiKey }) => {
  const instance = Math.random().toString(36).slice(2);
  return {
    ...${HEALTHY},
    async *chat({ messages }, call) {
      const gate = messages.at(-1).parts.map((part) => part.text).join('');
      yield { type: 'text', text: '${word} ' + (options.say ?? '') + ' ' };
      if (gate.startsWith('/')) await new Promise((resolve, reject) => {
        const timer = setInterval(() => existsSync(gate) && (clearInterval(timer), resolve()), 10);
        call.signal.addEventListener('abort', () => (clearInterval(timer), reject(call.signal.reason)));
      });
      yield { type: 'text', text: instance };
      yield { type: 'finish', reason: 'stop' };
    },
    async close() { log.warn('closed ' + instance); },
  };
};`;

export const GATED_OPTIONS = { options: { say: { type: 'string' }, api_key_env: { type: 'string' } } };

export interface Said {
  status: number;
  word: string;
  say: string;
  instance: string;
}

/** What the driver behind a model said of itself. */
export async function ask(gateway: RunningGateway, model: string, content = 'now'): Promise<Said> {
  const response = await gateway.chat({ model, messages: [{ role: 'user', content }] });
  const body = (await response.json()) as { choices?: { message: { content: string } }[] };
  const [word = '', say = '', instance = ''] = body.choices?.[0]?.message.content.split(' ') ?? [];
  return { status: response.status, word, say, instance };
}
