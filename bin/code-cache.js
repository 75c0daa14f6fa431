'use strict';
// Keeps V8's compiled code of the program between starts, which halves them. Node 22 does this by itself
// (module.enableCompileCache); for Node 20 it is done here.
const fs = require('node:fs');
const { createRequire, enableCompileCache, wrap } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { withFlagsOfStart } = require('./limit-heap-growth.js');

const SETTLED_MS = 3_000;
/**
 * A command that needs so much code that the cache does not have adds it, so that in the end the cache has what all of
 * them need: with that of the first command alone, another one would compile most of its own at each start.
 */
const WORTH_SAVING_BYTES = 48 * 1024;
/** Behind the code: how much there was in the process that saved it, with the code of Node's own modules. */
const TOTAL_BYTES = 8;

/** Where the compiler puts packages that have a file of their own, as the program names it. */
const LIBRARIES = './lib/';

/** A compiled CommonJS file of the program, with the code of V8 that an earlier process kept. */
class CachedFile {
  constructor(file, purpose, folder) {
    const { mtimeMs, size } = fs.statSync(file);
    this.file = file;
    this.folder = folder;
    this.tag = v8.cachedDataVersionTag();
    this.name = `${purpose}.${path.basename(file, '.js')}`;
    // V8 itself compares nothing of the source but its length.
    this.build = `${size}-${mtimeMs}`;
    this.cacheFile = path.join(folder, `${this.name}-${this.tag}-${this.build}`);
    const saved = readIfThere(this.cacheFile);
    // The compiler escapes what is not ASCII, and decoding UTF-8 would take as long as V8 does.
    this.script = new vm.Script(wrap(fs.readFileSync(file, 'latin1')), {
      filename: file,
      cachedData: saved?.subarray(0, -TOTAL_BYTES),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    this.known = saved && !this.script.cachedDataRejected ? saved.readDoubleLE(saved.length - TOTAL_BYTES) : 0;
  }

  run(require) {
    const module = { exports: {} };
    this.script.runInThisContext()(module.exports, require, module, this.file, path.dirname(this.file));
    return module.exports;
  }

  saveIfGrown() {
    const total = v8.getHeapCodeStatistics().bytecode_and_metadata_size;
    // Flags are a part of the tag.
    if (total < this.known + WORTH_SAVING_BYTES || v8.cachedDataVersionTag() !== this.tag) return;
    this.known = total;
    try {
      this.save(total);
    } catch {
      // A cache that cannot be written is not missed: the next start compiles again.
    }
  }

  save(total) {
    const { folder, name, build, cacheFile } = this;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const each of fs.readdirSync(folder)) {
      const isOutdated = each.startsWith(`${name}-`) && !each.endsWith(build);
      if (isOutdated) fs.rmSync(path.join(folder, each), { force: true });
    }
    const end = Buffer.alloc(TOTAL_BYTES);
    end.writeDoubleLE(total);
    const unnamed = `${cacheFile}.${process.pid}`;
    fs.writeFileSync(unnamed, Buffer.concat([this.script.createCachedData(), end]), { mode: 0o600 });
    fs.renameSync(unnamed, cacheFile);
  }
}

/**
 * Loads the program like `require`, and the libraries it asks for. `purpose` tells apart uses that run different parts of
 * them.
 */
function requireCached(program, purpose) {
  const folder = cacheFolder(path.dirname(program));
  if (enableCompileCache) {
    enableCompileCache(folder);
    return require(program);
  }
  const files = [];
  const modules = new Map();
  const plain = createRequire(program);
  const own = Object.assign((id) => (id.startsWith(LIBRARIES) ? load(plain.resolve(id)) : plain(id)), plain);
  function load(file) {
    if (modules.has(file)) return modules.get(file);
    const cached = withFlagsOfStart(() => new CachedFile(file, purpose, folder));
    files.push(cached);
    modules.set(file, cached.run(own));
    return modules.get(file);
  }
  // V8 knows what was used at the end; a server may be killed, and has used most of it some time after its start.
  const save = () => withFlagsOfStart(() => files.forEach((file) => file.saveIfGrown()));
  process.once('exit', save);
  setTimeout(save, SETTLED_MS).unref();
  return load(program);
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

module.exports = { requireCached };
