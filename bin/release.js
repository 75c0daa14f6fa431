'use strict';
// Makes a release: checks, known vulnerabilities, the package, its licences and its list of parts (SBOM), then publishes with a
// statement of where it was built. Only CI publishes. `--dry-run` does everything but the long checks and the publishing,
// goes on where a step fails, and says at the end what would stop a release.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { compiledIn, forbidden, noticeIn, partsOf } = require('./licences.js');

const root = path.join(__dirname, '..');
const isDry = process.argv.includes('--dry-run');
const folder = path.resolve(root, optionOf('--out') ?? 'release');
const { name, version } = readJson('package.json');
const tarball = path.join(folder, `${name}-${version}.tgz`);
const stops = [];

const STEPS = [
  ['the checkout is the release', checkCheckout],
  ['known vulnerabilities', audit],
  ['types, style, tests', () => (isDry ? say('left out: npm run check') : run('npm', ['run', 'check']))],
  ['the package', pack],
  // Behind the build: it writes down what it compiles in.
  ['licences', checkLicences],
  ['the list of parts', writeParts],
  ['publish', publish],
];

fs.mkdirSync(folder, { recursive: true });
for (const [title, step] of STEPS) {
  console.log(`== ${title}`);
  try {
    step();
  } catch (error) {
    console.error(`   ${error.message}`);
    stops.push(title);
    if (!isDry) break;
  }
}
if (stops.length > 0) console.error(`== ${isDry ? 'this would stop a release' : 'stopped'}: ${stops.join(', ')}`);
process.exitCode = stops.length > 0 ? 1 : 0;

function checkCheckout() {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  const missing = [];
  if (status !== 0 || stdout.trim() !== '')
    missing.push('there are changes that are not committed, or this is not a clone: commit them');
  if (!fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
    missing.push(`CHANGELOG.md has no heading "## [${version}]": give [Unreleased] this number and a date`);
  if (missing.length > 0) throw new Error(missing.join('\n   '));
}

/** Without the texts of what is compiled in, its licences are neither known nor kept. */
function checkLicences() {
  if (compiledIn(root).length === 0)
    throw new Error(
      `nothing is known of what is compiled in: ${noticeIn(root)} is missing or empty; run: npm run build`,
    );
  const found = forbidden(root);
  if (found.length > 0)
    throw new Error(`not allowed: ${found.join(', ')}; leave the package out, or see bin/licences.js`);
}

/** A list that could not be asked is no clean list. */
function audit() {
  const { stdout } = spawnSync('npm', ['audit', '--omit', 'dev', '--json', '--fetch-retries', '0'], {
    cwd: root,
    encoding: 'utf8',
  });
  const answer = parse(stdout);
  const counts = answer?.metadata?.vulnerabilities;
  if (!counts) {
    const reason = answer?.error?.summary || answer?.message || 'npm audit gave no answer';
    throw new Error(
      `the registry was not asked, so nothing is known: ${reason}; run it where the registry can be reached`,
    );
  }
  if (counts.total > 0) throw new Error(`${counts.total} found; to see them: npm audit --omit dev`);
}

function pack() {
  run('npm', ['pack', '--loglevel', 'error', '--pack-destination', folder]);
  say(tarball);
}

/** In CycloneDX. What is compiled in counts, also where the lock file has it for the build only. */
function writeParts() {
  if (compiledIn(root).length === 0) throw new Error('it would not have what is compiled in: see the licences');
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const { stdout, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const parts = parse(stdout);
  if (!parts) throw new Error(`npm sbom failed: ${stderr.trim().split('\n').at(-1)}`);
  const ours = new Set(partsOf(root).map(({ title }) => title));
  parts.components = parts.components.filter((part) => ours.has(`${part.name}@${part.version}`));
  const kept = new Set([parts.metadata.component, ...parts.components].map((part) => part['bom-ref']));
  parts.dependencies = parts.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  const file = path.join(folder, `${name}-${version}.cdx.json`);
  fs.writeFileSync(file, `${JSON.stringify(parts, undefined, 2)}\n`);
  say(`${file}: ${parts.components.length} packages`);
}

function publish() {
  const words = ['publish', tarball, '--provenance', '--access', 'public'];
  if (isDry) return say(`left out: npm ${words.join(' ')}`);
  if (!process.env.CI)
    throw new Error(
      'only CI publishes, because the statement of where it was built needs it: push the tag of the version',
    );
  run('npm', words);
}

function run(command, words) {
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
}

function say(text) {
  console.log(`   ${text}`);
}

function optionOf(option) {
  const at = process.argv.indexOf(option);
  return at === -1 ? undefined : process.argv[at + 1];
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
