'use strict';
// Keeps V8's compiled code of the program between starts, which halves them. Node 22 does this by itself
// (module.enableCompileCache); for Node 20 it is done here.
const fs = require('node:fs');
const { createRequire, enableCompileCache, wrap } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const SETTLED_MS = 3_000;
/**
 * A command that needs so much code that the cache does not have adds it, so that in the end the cache has what all of
 * them need: with that of the first command alone, another one would compile most of its own at each start.
 */
const WORTH_SAVING_BYTES = 48 * 1024;
/** Behind the code: how much there was in the process that saved it, with the code of Node's own modules. */
const TOTAL_BYTES = 8;

/** Loads a CommonJS file like `require`. `purpose` tells apart uses of the file that run different parts of it. */
function requireCached(file, purpose) {
  const folder = cacheFolder(path.dirname(file));
  if (enableCompileCache) {
    enableCompileCache(folder);
    return require(file);
  }
  const { mtimeMs, size } = fs.statSync(file);
  const tag = v8.cachedDataVersionTag();
  // V8 itself compares nothing of the source but its length.
  const build = `${size}-${mtimeMs}`;
  const cacheFile = path.join(folder, `${purpose}-${tag}-${build}`);
  const saved = readIfThere(cacheFile);
  // The compiler escapes what is not ASCII, and decoding UTF-8 would take as long as V8 does.
  const script = new vm.Script(wrap(fs.readFileSync(file, 'latin1')), {
    filename: file,
    cachedData: saved?.subarray(0, -TOTAL_BYTES),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const known = saved && !script.cachedDataRejected ? saved.readDoubleLE(saved.length - TOTAL_BYTES) : 0;
  saveOnce(() => {
    const total = v8.getHeapCodeStatistics().bytecode_and_metadata_size;
    // V8 refuses code that was saved under other flags than it is loaded under: they are a part of the tag.
    const isLoadable = v8.cachedDataVersionTag() === tag;
    if (isLoadable && total > known + WORTH_SAVING_BYTES) save({ script, total, folder, cacheFile, purpose, build });
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  return module.exports;
}

/** Beside the program where it belongs to the user, as in a checkout; else with the user's other caches. */
function cacheFolder(beside) {
  const { XDG_CACHE_HOME: cache } = process.env;
  try {
    fs.accessSync(beside, fs.constants.W_OK);
    return path.join(beside, 'code');
  } catch {
    return path.join(cache?.startsWith('/') ? cache : path.join(os.homedir(), '.cache'), 'drivebay', 'code');
  }
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** When V8 knows what was used: at the end, or for a server that may be killed, some time after its start. */
function saveOnce(write) {
  const timer = setTimeout(() => {
    process.off('exit', write);
    write();
  }, SETTLED_MS).unref();
  process.once('exit', () => clearTimeout(timer)).once('exit', write);
}

/** A cache that cannot be written is not missed. */
function save({ script, total, folder, cacheFile, purpose, build }) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of fs.readdirSync(folder)) {
      const isOutdated = name.startsWith(`${purpose}-`) && !name.endsWith(build);
      if (isOutdated) fs.rmSync(path.join(folder, name), { force: true });
    }
    const end = Buffer.alloc(TOTAL_BYTES);
    end.writeDoubleLE(total);
    const unnamed = `${cacheFile}.${process.pid}`;
    fs.writeFileSync(unnamed, Buffer.concat([script.createCachedData(), end]), { mode: 0o600 });
    fs.renameSync(unnamed, cacheFile);
  } catch {
    // The next start compiles again.
  }
}

module.exports = { requireCached };
