'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const LIMIT_MS = 5 * 60_000;
const REQUIREMENTS = path.join(__dirname, 'requirements.txt');
const FOLDER = path.join(__dirname, 'node_modules/.python');
const PYTHON = path.join(FOLDER, 'bin/python');
/** What the environment was made with. Written last. */
const STAMP = path.join(FOLDER, 'requirements.txt');

/** Makes a Python environment with the packages of requirements.txt. Returns why that does not work; undefined when it does. */
function installPython() {
  const wanted = fs.readFileSync(REQUIREMENTS, 'utf8');
  if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === wanted) return undefined;
  fs.rmSync(FOLDER, { recursive: true, force: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS];
  const why = run('python3', ['-m', 'venv', FOLDER]) ?? run(PYTHON, pip);
  if (why === undefined) fs.writeFileSync(STAMP, wanted);
  return why;
}

function run(program, args) {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS });
  if (error) return `${path.basename(program)}: ${error.message}`;
  return status === 0 ? undefined : `${args[1]}: ${stderr.trim().split('\n').at(-1)}`;
}

module.exports = { installPython };
