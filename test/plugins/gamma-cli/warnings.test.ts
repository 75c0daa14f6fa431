import { runCli } from '../../setup/run-cli';
import { TempHome } from '../../setup/temp-home';

test('options of other drivers are warned about, each by its name', async () => {
  const home = new TempHome();
  const options = 'reasoning_effort: high\n    sandbox_mode: read-only\n    permission_mode: plan';
  home.configure(`version: "1"\nproviders:\n  - name: g\n    driver: qwen-code\n    ${options}\n`);
  const { code, stderr } = await runCli(['config', 'check'], { env: home.environment() });
  home.remove();
  expect(code).toBe(0);
  for (const name of ['reasoning_effort', 'sandbox_mode', 'permission_mode'])
    expect(stderr).toContain(`driver "gamma-cli" does not use ${name}, ignored`);
});
