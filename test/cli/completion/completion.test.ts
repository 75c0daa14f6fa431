import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cliPath, runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const bin = join(home.directory, 'bin');
const env = home.environment({ PATH: `${bin}:${process.env.PATH ?? ''}` });

beforeAll(() => {
  mkdirSync(bin);
  symlinkSync(cliPath, join(bin, 'drivebay'));
  home.configure(`version: "1"
providers:
  - { name: local, driver: chat-compat, base_url: "http://127.0.0.1:9/v1", default_model: "llama3.2:3b", models: { phi4: { context_window: 16000 } } }
  - { name: groq, driver: chat-compat, base_url: "http://127.0.0.1:9/v1", default_model: qwen3 }
routes:
  - { name: lively, targets: [groq, inner] }
  - { name: inner, targets: ["local:phi4"] }
  - { name: "any-*", targets: [groq] }
clients: [{ name: ci, api_key_env: CI_KEY }, { name: editor, api_key_env: EDITOR_KEY }]
`);
});

async function complete(...words: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await runCli(['__complete', '--', ...words], { env });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const [kind, ...lines] = stdout.trimEnd().split('\n');
  return kind === 'words' ? lines.map((line) => line.split('\t')[0]!) : [kind!];
}

test.each<[string, string[], string[]]>([
  ['commands', ['pr'], ['providers']],
  ['the commands of a group', ['daemon', 'st'], ['start', 'stop', 'status']],
  ['flags of a command', ['serve', '--allow'], ['--allow-host', '--allow-origin']],
  ['flags of `run` for an intent', ['do it', '--reas'], ['--reasoning-effort']],
  ['flags before the intent', ['--prov'], ['--provider']],
  ['clients of the gateway', ['clients', 'rotate', ''], ['ci', 'editor']],
  ['a closed list', ['serve', '--log-level', 'w'], ['warn']],
  ['a value behind an equals sign', ['do it', '--provider=l'], ['--provider=local', '--provider=lively']],
  ['providers and routes', ['do it', '--provider', ''], ['local', 'groq', 'lively', 'inner']],
  ['routes for a default', ['providers', 'set-default', 'in'], ['inner']],
  ['models that a route passes on', ['--provider', 'lively', 'do it', '--model', ''], ['qwen3']],
  ['models of all providers', ['do it', '--model', ''], ['llama3.2:3b', 'phi4', 'qwen3']],
  ['models of the provider given', ['--provider', 'groq', 'do it', '--model', ''], ['qwen3']],
  ['drivers', ['providers', 'add', 'chat'], ['chat-compat']],
  ['pages of the documentation', ['docs', 'claude'], ['claude-code']],
  ['files', ['do it', '--agent', ''], ['files']],
  ['folders', ['plugins', 'check', ''], ['folders']],
  ['nothing where any text goes', ['do it', ''], []],
  ['nothing behind an unknown word', ['daemon', 'nope', ''], ['start', 'stop', 'restart', 'status', 'run', 'logs']],
])('offers %s', async (_, words, expected) => {
  expect(await complete(...words)).toEqual(expected);
});

test('a broken configuration offers nothing, and says nothing into the line that is typed', async () => {
  const broken = tempHome();
  broken.configure('providers: [');
  const { stdout, stderr } = await broken.run('__complete', '--', 'x', '--provider', '');
  expect({ stdout, stderr }).toEqual({ stdout: 'words\n', stderr: '' });
});

test('a shell that is not known is refused, with those that are', async () => {
  const { code, stderr } = await runCli(['completion', 'tcsh'], { env });
  expect(code).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish');
});

/** A real shell, told that Tab was pressed at the end of the words. */
const SHELLS: Record<string, (words: string[]) => string> = {
  bash: (words) => `source <(drivebay completion bash)
    COMP_LINE='drivebay ${words.join(' ')}' COMP_POINT=$((\${#COMP_LINE}))
    COMP_WORDS=(drivebay ${words.map((word) => `'${word.replace(/:/g, "' : '")}'`).join(' ')})
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _drivebay_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) => `compdef() { :; }; _describe() { print -rl -- "\${(@P)2}"; }
    source <(drivebay completion zsh)
    words=(drivebay ${words.map((word) => `'${word}'`).join(' ')}) CURRENT=$#words
    _drivebay`,
  fish: (words) => `drivebay completion fish | source; complete -C 'drivebay ${words.join(' ')}'`,
};

const installed = Object.keys(SHELLS).filter((shell) => !spawnSync(shell, ['--version']).error);

describe.each(installed)('in %s', (shell) => {
  const press = (...words: string[]) => {
    const { stdout, stderr } = spawnSync(shell, ['-c', SHELLS[shell]!(words)], { env, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  test('Tab completes a provider, and a model with a colon in it', () => {
    expect(press('hello', '--provider', 'lo')[0]).toMatch(/^local\b/);
    expect(press('hello', '--provider', 'li')[0]).toMatch(/^lively\b/);
    // Each shell treats the colon in its own way: bash completes the text after it.
    const expected = { bash: '3b', zsh: 'llama3.2\\:3b:local', fish: 'llama3.2:3b\tlocal' }[shell];
    expect(press('hello', '--model', 'llama3.2:3')).toEqual([expected]);
  });
});
