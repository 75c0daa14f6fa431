'use strict';
// Runs the compiled program. bin/cli has looked whether that is there; a command that starts a daemon uses this file
// directly, so that it is not looked twice.
const { join } = require('node:path');
const { requireCached } = require('./code-cache.js');

/** What is typed often, or by programs: each has compiled code of its own to start with, and none of another's. */
const FREQUENT = ['serve', 'daemon run', 'daemon', 'ps', 'providers', '__complete'];
const LASTING = ['serve', 'daemon run'];

const words = process.argv.slice(2);
const typed = words.slice(0, 2).join(' ');
const purpose = FREQUENT.find((command) => typed === command || typed.startsWith(`${command} `)) ?? 'command';
if (LASTING.includes(purpose)) require('./limit-heap-growth.js').limitHeapGrowth();
requireCached(join(__dirname, '..', 'dist', 'cli.js'), purpose.replace(' ', '_')).main(words);
