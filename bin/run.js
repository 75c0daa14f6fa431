'use strict';
// Runs the compiled program. bin/cli runs this file after its check of the build; a command that has just passed that check
// starts a daemon with this file directly.
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');

// Node 22.1 and later can keep V8's compiled code between starts, which halves them. The folder is the user's own: other
// users could write into Node's default, a folder in /tmp.
if (enableCompileCache) {
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  enableCompileCache(join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'drivebay', 'code'));
}

require(join(__dirname, '..', 'dist', 'cli.js')).main(process.argv.slice(2));
