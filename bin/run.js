'use strict';
// Runs the compiled program. bin/cli runs this file after its check of the build; a command that has just passed that check
// starts a daemon with this file directly.
const { existsSync, mkdirSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { userInfo } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');

// Node 22.1 and later can keep V8's compiled code between starts, which halves them. The folder is the user's own: other
// users could write into Node's default, a folder in /tmp.
if (enableCompileCache) {
  const cache = cacheFolder();
  if (cache !== undefined) keepCode(join(cache, 'drivebay', 'code'));
}

function keepCode(folder) {
  try {
    makeFolder(folder);
    enableCompileCache(folder);
  } catch {
    // It runs without.
  }
}

/** As core/paths.ts has it. Node makes a folder that others can enter, and tries for ever below /proc. */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** As core/paths.ts has it. Undefined for a user without a home folder: then nothing is kept. */
function cacheFolder() {
  const { XDG_CACHE_HOME: cache = '', HOME: home = '' } = process.env;
  if (isAbsolute(cache)) return cache;
  try {
    return join(isAbsolute(home) ? home : userInfo().homedir, '.cache');
  } catch {
    return undefined;
  }
}

require(join(__dirname, '..', 'dist', 'cli.js')).main(process.argv.slice(2));
