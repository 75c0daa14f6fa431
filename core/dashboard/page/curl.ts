import type { DashboardState, TryRequest } from '../protocol';
import { shellWords } from '../../shell-words';
import { modelName } from './format';

/** The command that asks a gateway of the project; undefined where none is open. */
export function curlFor(
  { listeners }: DashboardState,
  { project, provider, model, prompt }: TryRequest,
  stream?: boolean,
): string | undefined {
  const listener = listeners.find((each) => each.serves === 'gateway' && each.project === project);
  if (!listener) return undefined;
  const body = { model: modelName(provider, model), stream, messages: [{ role: 'user', content: prompt }] };
  const key = listener.needsKey ? ['-H', 'Authorization: Bearer THE_KEY_OF_THIS_GATEWAY'] : [];
  return shellWords([
    ...(stream ? ['curl', '-N'] : ['curl']),
    `http://127.0.0.1:${listener.port}/v1/chat/completions`,
    ...['-H', 'Content-Type: application/json', ...key, '-d', JSON.stringify(body)],
  ]);
}
