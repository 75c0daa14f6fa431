'use strict';
// Compiles the program to dist/ when dist/ is missing or older than a source file. `npm ci` runs it as `prepare`; bin/cli
// runs it for a checkout that was installed with --ignore-scripts. One file for the program and one for each bundled
// plug-in: reading two hundred modules one by one took most of a start (docs/decisions/0002). Further ones are the test kit,
// and what `plugins check` runs in a process of its own.
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const root = path.join(__dirname, '..');
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.built');

/** Large, and loaded when first needed: they stay outside of the program's file. */
const LAZY_PACKAGES = ['express'];

function newestSource(folder, newest = 0) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    // Every command of a checkout comes by here: path.join() would be a third of the time.
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) newest = newestSource(file, newest);
    else if (/\.(tsx?|css|html)$/.test(entry.name)) newest = Math.max(newest, fs.statSync(file).mtimeMs);
  }
  return newest;
}

function isFresh() {
  const built = fs.statSync(stamp, { throwIfNoEntry: false });
  if (!built) return false;
  // Packages are part of the build: an update of one shows in the lock file.
  const files = ['bin/build.js', 'package-lock.json'].map((file) => fs.statSync(path.join(root, file)).mtimeMs);
  const folders = ['core', 'plugins'].map((folder) => newestSource(path.join(root, folder)));
  return Math.max(...files, ...folders) <= built.mtimeMs;
}

function findCompiler() {
  try {
    return require(require.resolve('esbuild', { paths: [root] }));
  } catch {
    return undefined;
  }
}

/** The dashboard's page, each file also compressed, so that nobody does it at a request. */
function compilePage(esbuild, outdir) {
  const source = path.join(root, 'core/dashboard/page');
  esbuild.buildSync({
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    // The first with everything that the styles use.
    target: ['chrome111', 'firefox121', 'safari16.4'],
    minify: true,
    legalComments: 'eof',
    logLevel: 'silent',
    entryPoints: { page: path.join(source, 'main.tsx'), style: path.join(source, 'styles/page.css') },
    outdir,
  });
  fs.copyFileSync(path.join(source, 'index.html'), path.join(outdir, 'index.html'));
  for (const name of fs.readdirSync(outdir)) {
    const file = path.join(outdir, name);
    fs.writeFileSync(`${file}.gz`, zlib.gzipSync(fs.readFileSync(file), { level: 9 }));
  }
}

/** Compiles into a folder of its own and renames it: two starts at once never see half a build. */
function compile(esbuild) {
  const started = new Date();
  const fresh = path.join(root, `.dist-${process.pid}`);
  const common = {
    absWorkingDir: root,
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
  const plugins = fs
    .readdirSync(path.join(root, 'plugins'))
    .filter((name) => fs.existsSync(path.join(root, 'plugins', name, 'index.ts')));
  try {
    esbuild.buildSync({
      ...common,
      entryPoints: { cli: 'core/cli/main.ts', plugin: 'core/plugins/api.ts' },
      external: LAZY_PACKAGES,
      outdir: fresh,
    });
    esbuild.buildSync({
      ...common,
      entryPoints: {
        ...Object.fromEntries(plugins.map((name) => [`plugins/${name}/index`, `plugins/${name}/index.ts`])),
      },
      packages: 'external',
      outdir: fresh,
    });
    // For authors of drivers: not a part of the program, and in no hurry to start. Readable, because a runner that reports
    // an error prints the line it was thrown in.
    esbuild.buildSync({
      ...common,
      minifyWhitespace: false,
      entryPoints: { testing: 'core/testing/api.ts', 'try-plugin': 'core/authoring/try-plugin.ts' },
      packages: 'external',
      outdir: fresh,
    });
    compilePage(esbuild, path.join(fresh, 'dashboard'));
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw new Error(`the compiler failed: ${error.message}`);
  }
  fs.writeFileSync(path.join(fresh, '.built'), '');
  // A source saved while the compiler ran is newer than the stamp and compiled again at the next start.
  fs.utimesSync(path.join(fresh, '.built'), started, started);
  const old = path.join(root, `.dist-${process.pid}-old`);
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  try {
    fs.renameSync(fresh, dist);
  } catch {
    fs.rmSync(fresh, { recursive: true, force: true }); // Another start has just put its own build there.
  }
  fs.rmSync(old, { recursive: true, force: true });
}

/** Called by bin/cli. Ends the process with one clear line when there is nothing to run and no way to make it. */
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
