'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const INSTALL_LIMIT_MS = 10 * 60_000;
const VERSION_LIMIT_MS = 60_000;

/**
 * @typedef {object} Program
 * @property {string} package as package.json of the folder names it, with its version
 * @property {string} tests the file of tests that needs it
 * @property {string} [program] what it is called; absent: a library
 * @property {string} [script] the script of the package that puts its program in place
 */

/**
 * Installs what is missing in the folder. Returns the programs that still do not run as its package.json wants them,
 * each with `why`.
 * @param {string} folder
 * @param {Program[]} programs
 */
function install(folder, programs) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'programs-home-'));
  try {
    return installWith(home, folder, programs);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function installWith(home, folder, programs) {
  const { dependencies } = require(path.join(folder, 'package.json'));
  const why = (one) => whyWrong(one, dependencies[one.package], folder, home);
  if (!programs.some((one) => why(one) !== undefined)) return [];
  const failure = installAll(folder, programs);
  return programs.flatMap((one) => {
    const wrong = why(one);
    return wrong === undefined ? [] : [{ ...one, why: failure ?? wrong }];
  });
}

/**
 * No scripts of packages: some versions of npm run them, some do not, and most would only compile what no test needs.
 * Those that are needed put the program of their package in place.
 */
function installAll(folder, programs) {
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-progress'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  if (npm.error) return `npm ci: ${npm.error.message}`;
  if (npm.status !== 0) return `npm ci: ${reasonOf(npm.stderr)}`;
  for (const { package: name, script } of programs) {
    if (script === undefined) continue;
    const file = path.join(folder, 'node_modules', name, script);
    spawnSync(process.execPath, [file], { stdio: 'inherit', timeout: VERSION_LIMIT_MS });
  }
  return undefined;
}

/** What npm says first: the code, and the sentence that tells more. */
function reasonOf(stderr) {
  const lines = stderr.split('\n').flatMap((line) => /^npm (?:error|ERR!) (\S.*)$/.exec(line)?.[1] ?? []);
  const sentence = lines.find((line) => !/^(code|errno|syscall) /.test(line));
  return sentence ?? stderr.trim().split('\n').at(-1) ?? '';
}

/** Undefined when it has its version, and runs if it is a program. */
function whyWrong({ package: name, program }, wanted, folder, home) {
  const found = program === undefined ? versionOf(folder, name) : askVersion(folder, program, home);
  if (found.why !== undefined) return found.why;
  return found.version.includes(wanted) ? undefined : `it is ${found.version} instead of ${wanted}`;
}

function versionOf(folder, name) {
  const file = path.join(folder, 'node_modules', name, 'package.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { why: 'it is not installed' };
}

function askVersion(folder, program, home) {
  const file = path.join(folder, 'node_modules/.bin', program);
  if (!fs.existsSync(file)) return { why: 'it is not installed' };
  const { stdout, error, status, signal } = spawnSync(file, ['--version'], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: VERSION_LIMIT_MS,
  });
  if (error) return { why: error.message };
  if (status !== 0) return { why: `${program} --version ended with ${signal ?? status}` };
  return { version: stdout.trim() };
}

module.exports = { install };
