'use strict';
// Loaded into the programs that tests start, so that V8's code is kept between starts: the tests start the program a
// thousand times, and half of a start compiles. Node from 22.1 on can do that; here is the same for Node 20, for dist/.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const root = path.join(__dirname, '../..');
const dist = path.join(root, 'dist') + path.sep;
const folder = path.join(root, 'node_modules/.cache/code', process.version);
const compile = Module.prototype._compile;

if (Module.enableCompileCache) {
  Module.enableCompileCache(folder);
} else {
  Module.prototype._compile = function (content, file) {
    return file.startsWith(dist) ? compileKept(this, content, file) : compile.call(this, content, file);
  };
}

function compileKept(module, content, file) {
  const kept = path.join(folder, path.relative(dist, file).replaceAll(path.sep, '-'));
  const build = fs.statSync(file).mtimeMs;
  const source = `(function (exports, require, module, __filename, __dirname, $import) { ${asCalls(content)}\n})`;
  const script = new vm.Script(source, { filename: file, cachedData: read(kept, build) });
  // At the end, because V8 compiles most functions when they are called.
  if (script.cachedDataRejected !== false) process.on('exit', () => write(kept, build, script.createCachedData()));
  const directory = path.dirname(file);
  const load = (name) => import(name.startsWith('.') ? pathToFileURL(path.join(directory, name)) : name);
  // Its modules are the children of this one, as without this file: `createRequire` alone makes another parent for them.
  const requireHere = Object.assign((id) => module.require(id), Module.createRequire(file));
  const parts = [module.exports, requireHere, module, file, directory, load];
  return script.runInThisContext().apply(module.exports, parts);
}

/** Code that was kept cannot say `import()` any more: Node does not know who asks. */
function asCalls(content) {
  return content.replace(/(?<![.\w$`'"])import\(/g, '$import(');
}

/** V8 compares no more than the length of the source, so the time of the build stands before the code. */
function read(kept, build) {
  try {
    const data = fs.readFileSync(kept);
    return data.readDoubleLE() === build ? data.subarray(8) : undefined;
  } catch {
    return undefined;
  }
}

/** Several programs may write at once. One that cannot write works without. */
function write(kept, build, code) {
  const own = `${kept}-${process.pid}`;
  const head = Buffer.alloc(8);
  head.writeDoubleLE(build);
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(own, Buffer.concat([head, code]));
    fs.renameSync(own, kept);
  } catch {
    fs.rmSync(own, { force: true });
  }
}
