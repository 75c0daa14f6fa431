'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const INSTALL_LIMIT_MS = 10 * 60_000;
const VERSION_LIMIT_MS = 60_000;

/** The programs, the package that each comes from, and the tests that need it. */
const CLIS = [
  { program: 'claude', package: '@anthropic-ai/claude-code', tests: 'alpha-cli.test.ts' },
  { program: 'codex', package: '@openai/codex', tests: 'delta-cli.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'gamma-cli.test.ts' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'gamma-cli.test.ts' },
];
const { dependencies: VERSIONS } = require('./package.json');

/** Installs what is missing. Returns the programs that still do not run as package.json wants them, each with `why`. */
function installClis() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'clis-home-'));
  try {
    return installInto(home);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function installInto(home) {
  const isWrong = (cli) => whyWrong(cli, home) !== undefined;
  if (!CLIS.some(isWrong)) return [];
  const failure = install();
  return CLIS.flatMap((cli) => {
    const why = whyWrong(cli, home);
    return why === undefined ? [] : [{ ...cli, why: failure ?? why }];
  });
}

/**
 * No scripts of packages: some versions of npm run them, some do not, and most would only compile what no test needs.
 * The one that is needed puts the program of its package in place.
 */
function install() {
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-progress'], {
    cwd: __dirname,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  if (npm.error) return `npm ci: ${npm.error.message}`;
  if (npm.status !== 0) return `npm ci: ${reasonOf(npm.stderr)}`;
  const script = path.join(__dirname, 'node_modules/@anthropic-ai/claude-code/install.cjs');
  spawnSync(process.execPath, [script], { stdio: 'inherit', timeout: VERSION_LIMIT_MS });
  return undefined;
}

/** What npm says first: the code, and the sentence that tells more. */
function reasonOf(stderr) {
  const lines = stderr.split('\n').flatMap((line) => /^npm (?:error|ERR!) (\S.*)$/.exec(line)?.[1] ?? []);
  const sentence = lines.find((line) => !/^(code|errno|syscall) /.test(line));
  return sentence ?? stderr.trim().split('\n').at(-1) ?? '';
}

/** Undefined when the program runs and has its version. */
function whyWrong({ program, package: name }, home) {
  const file = path.join(__dirname, 'node_modules/.bin', program);
  if (!fs.existsSync(file)) return 'it is not installed';
  const { stdout, error, status, signal } = spawnSync(file, ['--version'], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: VERSION_LIMIT_MS,
  });
  if (error) return error.message;
  if (status !== 0) return `${program} --version ended with ${signal ?? status}`;
  return stdout.includes(VERSIONS[name]) ? undefined : `it is ${stdout.trim()} instead of ${VERSIONS[name]}`;
}

module.exports = { CLIS, installClis };
