'use strict';
// Compiles the program to dist/ when dist/ is missing or older than a source file. `npm ci` runs it as `prepare`; bin/cli
// runs it for a checkout that was installed with --ignore-scripts. One file for the program and one for each bundled
// plug-in: reading two hundred modules one by one took most of a start (docs/decisions/0002). Further ones are the test kit,
// and what `plugins check` runs in a process of its own.
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { isFresh, listPlugins, stamp, STAMP } = require('./is-fresh.js');

const root = path.join(__dirname, '..');
const dist = path.join(root, 'dist');

/** Large, and not needed by short commands: each is a file of its own, compiled from this, so that a start need not read it. */
const LIBRARIES = { express: 'express', undici: 'core/http/undici-classes.ts', yaml: 'yaml', zod: 'zod' };

function findCompiler() {
  try {
    return require(require.resolve('esbuild', { paths: [root] }));
  } catch {
    return undefined;
  }
}

/** The dashboard's page, each file also compressed, so that nobody does it at a request. */
function compilePage(esbuild, outdir) {
  const page = path.join(root, 'core/dashboard/page');
  const { metafile } = esbuild.buildSync({
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    format: 'esm',
    // The first with everything that the styles use.
    target: ['chrome111', 'firefox121', 'safari16.4'],
    minify: true,
    legalComments: 'eof',
    logLevel: 'silent',
    entryPoints: { page: path.join(page, 'main.tsx'), style: path.join(page, 'styles/page.css') },
    outdir,
  });
  fs.copyFileSync(path.join(page, 'index.html'), path.join(outdir, 'index.html'));
  for (const name of fs.readdirSync(outdir)) {
    const file = path.join(outdir, name);
    fs.writeFileSync(`${file}.gz`, zlib.gzipSync(fs.readFileSync(file), { level: 9 }));
  }
  return [...sourcesOf(metafile), 'core/dashboard/page/index.html'];
}

/** Packages are left out: an update of one shows in the lock file. */
function sourcesOf({ inputs }) {
  return Object.keys(inputs).filter((file) => !file.includes('node_modules/'));
}

/** Compiles into a folder of its own and renames it: two starts at once never see half a build. */
function compile(esbuild) {
  const startedAt = Date.now();
  const fresh = path.join(root, `.dist-${process.pid}`);
  const common = {
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // ES modules where a package has them: unused parts of those can be left out.
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'eof',
    logLevel: 'silent',
  };
  const plugins = listPlugins();
  const sources = new Set(['bin/build.js', 'package-lock.json']);
  const build = (options) => {
    const { metafile } = esbuild.buildSync({ ...common, ...options, outdir: fresh });
    for (const file of sourcesOf(metafile)) sources.add(file);
  };
  try {
    const libraries = Object.fromEntries(Object.keys(LIBRARIES).map((name) => [name, `./lib/${name}.js`]));
    build({
      entryPoints: { cli: 'core/cli/main.ts', plugin: 'core/contract/api.ts' },
      alias: libraries,
      external: Object.values(libraries),
    });
    build({
      entryPoints: Object.fromEntries(Object.entries(LIBRARIES).map(([name, entry]) => [`lib/${name}`, entry])),
    });
    build({
      entryPoints: Object.fromEntries(plugins.map((name) => [`plugins/${name}/index`, `plugins/${name}/index.ts`])),
      packages: 'external',
    });
    // For authors of drivers: not a part of the program, and in no hurry to start. Readable, because a runner that reports
    // an error prints the line it was thrown in.
    build({
      minifyWhitespace: false,
      entryPoints: { testing: 'core/authoring/api.ts', 'try-plugin': 'core/authoring/check/try-plugin.ts' },
      packages: 'external',
    });
    for (const file of compilePage(esbuild, path.join(fresh, 'dashboard'))) sources.add(file);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw new Error(`the compiler failed: ${error.message}`);
  }
  // A source saved while the compiler ran is newer than the build and compiled again at the next start.
  fs.writeFileSync(path.join(fresh, STAMP), JSON.stringify({ startedAt, plugins, sources: [...sources] }));
  const old = path.join(root, `.dist-${process.pid}-old`);
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  try {
    fs.renameSync(fresh, dist);
  } catch {
    fs.rmSync(fresh, { recursive: true, force: true }); // Another start has just put its own build there.
  }
  fs.rmSync(old, { recursive: true, force: true });
}

/** Called by bin/cli and the tests. Ends the process with one clear line when there is nothing to run and no way to make it. */
function ensureBuilt() {
  if (isFresh()) return;
  const compiler = findCompiler();
  const hasBuild = fs.existsSync(stamp);
  try {
    if (!compiler) throw new Error('the compiler (esbuild) is not installed');
    process.stderr.write('drivebay: compiling once ...\n');
    compile(compiler);
  } catch (error) {
    const consequence = hasBuild ? 'running the previous build' : `nothing to run; run \`npm ci\` in ${root}`;
    process.stderr.write(`drivebay: ${error.message}: ${consequence}\n`);
    if (!hasBuild) process.exit(1);
  }
}

module.exports = { ensureBuilt };

if (require.main === module) {
  if (process.argv.includes('--clean')) fs.rmSync(dist, { recursive: true, force: true });
  const compiler = findCompiler();
  // Without a compiler (`npm ci --omit=dev`, an installed package) there is nothing to do here.
  if (compiler && fs.existsSync(path.join(root, 'core')) && !isFresh()) compile(compiler);
}
