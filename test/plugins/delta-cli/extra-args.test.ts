import { explainCodexClashes } from '../../../plugins/delta-cli/command-line';
import { DEFAULTS } from './harness';

const explain = (...extra_args: string[]) => explainCodexClashes({ ...DEFAULTS, extra_args });

test.each([
  [['--yolo'], /--yolo silently wins over sandbox_mode/],
  [['--dangerously-bypass-approvals-and-sandbox'], /without any sandbox/],
  [['--sandbox', 'read-only'], /set sandbox_mode/],
  [['--sandbox=read-only'], /set sandbox_mode/],
  [['-s', 'read-only'], /set sandbox_mode/],
  [['-sread-only'], /set sandbox_mode/],
  [['--approve-for-me'], /set sandbox_mode/],
  [['--full-auto'], /gone/],
  [['-c', 'sandbox_mode="read-only"'], /-c sandbox_mode="read-only" has no effect/],
  [['--config=sandbox_mode="read-only"'], /has no effect/],
  [['-m', 'gpt-x'], /set default_model/],
  [['--model=gpt-x'], /set default_model/],
  [['-c', 'model_reasoning_effort=high'], /wins over the effort/],
  [['--help'], /without an answer/],
  [['-V'], /without an answer/],
  [['-'], /takes the place of the prompt/],
])('%j is warned about', (extra, warning) => {
  expect(explain(...extra)).toEqual([expect.stringMatching(warning)]);
});

test('other arguments are the user’s business', () => {
  const harmless = ['--add-dir', '/srv', '-c', 'model_provider="x"', '--color', 'never', '--search', '-p', 'work'];
  expect(explain(...harmless)).toEqual([]);
});
