'use strict';
// Compiles the program to dist/ when dist/ is missing or older than a source file. `npm ci` runs it as `prepare`, and
// bin/cli runs it for a checkout that was installed with --ignore-scripts. The program becomes one file, because reading
// its modules one by one took most of a start (docs/decisions/0002). Each bundled plug-in, the test kit and the child
// process of `plugins check` are further files.
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const zlib = require('node:zlib');
const { isFresh, listPlugins, stamp, STAMP } = require('./is-fresh.js');
const { thirdPartyNotice } = require('./third-party.js');

const root = path.join(__dirname, '..');
const dist = path.join(root, 'dist');

/** Large packages that short commands do not need. Each becomes a file of its own, so that a start need not read it. */
const LIBRARIES = {
  '@redis/client': '@redis/client',
  'rate-limiter-flexible': 'rate-limiter-flexible',
  express: 'express',
  'mcp-client': 'core/devices/mcp/sdk-parts.ts',
  'mcp-server': 'core/daemon/mcp-server/sdk-parts.ts',
  opentelemetry: 'core/daemon/telemetry/sdk-parts.ts',
  'prom-client': 'prom-client',
  undici: 'core/http/undici-classes.ts',
  yaml: 'yaml',
  zod: 'core/config/zod-parts.ts',
};
/** Parts of libraries that nothing of ours reaches: a check of schemas that we replace by our own. */
const UNUSED = { ajv: './core/devices/mcp/unused.ts', 'ajv-formats': './core/devices/mcp/unused.ts' };
const COMMON = { absWorkingDir: root, metafile: true, bundle: true, legalComments: 'eof', logLevel: 'silent' };
const FOR_NODE = {
  ...COMMON,
  platform: 'node',
  target: 'node20',
  // ES modules where a package has them: the compiler can leave out their unused parts.
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
};

/** The imports that a file of ours stands for: those of a list of parts, else the package of this name. */
function importsOf([name, entry]) {
  if (!entry.endsWith('/sdk-parts.ts')) return [name];
  const parts = fs.readFileSync(path.join(root, entry), 'utf8').matchAll(/ from '(.+)';$/gm);
  return [...parts].map(([, wanted]) => wanted);
}

function buildsOf(plugins, sdks) {
  const files = Object.entries(LIBRARIES).flatMap((library) =>
    importsOf(library).map((wanted) => [wanted, `./lib/${library[0]}.js`]),
  );
  const byLibraries = { alias: Object.fromEntries(files), external: files.map(([, file]) => file) };
  return [
    {
      ...FOR_NODE,
      ...byLibraries,
      entryPoints: { cli: 'core/cli/main.ts', plugin: 'core/contract/api.ts' },
    },
    {
      ...FOR_NODE,
      entryPoints: Object.fromEntries(Object.entries(LIBRARIES).map(([name, entry]) => [`lib/${name}`, entry])),
      alias: UNUSED,
    },
    {
      ...FOR_NODE,
      entryPoints: entriesOf(plugins),
      alias: Object.fromEntries(sdks.map((name) => [name, `../../sdk/${name}.js`])),
      external: sdks.map((name) => `../../sdk/${name}.js`),
    },
    { ...FOR_NODE, entryPoints: Object.fromEntries(sdks.map((name) => [`sdk/${name}`, name])) },
    // Readable, because a test runner that reports an error prints the line that threw it.
    {
      ...FOR_NODE,
      ...byLibraries,
      minifyWhitespace: false,
      entryPoints: { testing: 'core/authoring/api.ts', 'try-plugin': 'core/authoring/check/try-plugin.ts' },
    },
    {
      ...COMMON,
      format: 'esm',
      // The first versions with everything that the styles use.
      target: ['chrome123', 'firefox121', 'safari17.5'],
      minify: true,
      entryPoints: {
        'dashboard/page': 'core/dashboard/page/main.tsx',
        'dashboard/style': 'core/dashboard/page/styles/page.css',
      },
    },
  ];
}

const entriesOf = (plugins) =>
  Object.fromEntries(plugins.map((name) => [`plugins/${name}/index`, `plugins/${name}/index.ts`]));

/** The packages that plug-ins import. Each becomes a file of its own, because only a plug-in's first request loads it. */
function sdksOf(esbuild, plugins) {
  const build = { ...FOR_NODE, entryPoints: entriesOf(plugins), packages: 'external', write: false, outdir: dist };
  const imports = Object.values(esbuild.buildSync(build).metafile.outputs).flatMap((output) => output.imports);
  return [...new Set(imports.map(({ path: name }) => name))].filter((name) => !isBuiltin(name));
}

function findCompiler() {
  try {
    return require(require.resolve('esbuild', { paths: [root] }));
  } catch {
    return undefined;
  }
}

/** Compiles into a folder of its own and renames it: two starts at once never see half a build. */
function compile(esbuild) {
  const startedAt = Date.now();
  const fresh = path.join(root, `.dist-${process.pid}`);
  const plugins = listPlugins();
  const indexPage = 'core/dashboard/page/index.html';
  const sources = new Set(['bin/build.js', 'bin/third-party.js', 'package-lock.json', indexPage]);
  const compiled = new Set();
  try {
    for (const build of buildsOf(plugins, sdksOf(esbuild, plugins))) {
      const { inputs, outputs } = esbuild.buildSync({ ...build, outdir: fresh }).metafile;
      // Packages are left out: an update of one shows in the lock file.
      for (const file of Object.keys(inputs)) if (!file.includes('node_modules/')) sources.add(file);
      for (const output of Object.values(outputs)) Object.keys(output.inputs).forEach((file) => compiled.add(file));
    }
    completeDashboard(path.join(root, indexPage), path.join(fresh, 'dashboard'));
    fs.writeFileSync(path.join(fresh, 'THIRD-PARTY.txt'), thirdPartyNotice(root, [...compiled]));
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw new Error(`the compiler failed: ${error.message}`);
  }
  // A source that was saved while the compiler ran is newer than the build, so the next start compiles it again.
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

/** Adds the page itself, and each file compressed, so that no request has to wait for that. */
function completeDashboard(indexPage, folder) {
  fs.copyFileSync(indexPage, path.join(folder, 'index.html'));
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    fs.writeFileSync(`${file}.gz`, zlib.gzipSync(fs.readFileSync(file), { level: 9 }));
  }
}

/** For bin/cli and the tests. Without a build, and without a way to make one, ends the process with one clear line. */
function ensureBuilt() {
  if (isFresh()) return;
  const compiler = findCompiler();
  const hasBuild = fs.existsSync(stamp);
  try {
    if (!compiler) throw new Error('the compiler (esbuild) is not installed');
    process.stderr.write('drivebay: compiling once ...\n');
    compile(compiler);
  } catch (error) {
    // NODE_ENV=production, too, makes npm leave the compiler out.
    const remedy = `run \`npm ci --include=dev\` in ${root}`;
    const consequence = hasBuild ? 'running the previous build' : `nothing to run; ${remedy}`;
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
