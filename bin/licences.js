'use strict';
// The licences that a package in Drivebay may have: they allow to use, change and pass on, and ask for their text alone, which
// THIRD-PARTY.txt has.
const fs = require('node:fs');
const path = require('node:path');

const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'Unlicense'],
]);

/** The packages of a release: what it needs, and what is compiled in, although the lock file has it for the build only. */
function partsOf(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const built = new Set(compiledIn(root));
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { dev, version, license = 'no licence' }]) => {
      return { dev, license, title: `${folder.replace(/^.*node_modules\//, '')}@${version}` };
    })
    .filter(({ dev, title }) => !dev || built.has(title));
}

/** Those with a licence that is not allowed, or with none: `name@version (licence)`. Of what is compiled in only a build tells. */
function forbidden(root) {
  return partsOf(root)
    .filter(({ license }) => !isAllowed(license))
    .map(({ title, license }) => `${title} (${license})`);
}

/** Of `MIT OR GPL-3.0` one is enough, of `MIT AND GPL-3.0` it is not. */
function isAllowed(licence) {
  const alternatives = licence.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((each) => each.split(' AND ').every((name) => ALLOWED.has(name)));
}

/** The packages that the last build has compiled in, as `name@version`; none without a build. */
function compiledIn(root) {
  const file = noticeIn(root);
  if (!fs.existsSync(file)) return [];
  const heads = /^={80}\n\n(\S+) (\S+): /gm;
  return [...fs.readFileSync(file, 'utf8').matchAll(heads)].map(([, name, version]) => `${name}@${version}`);
}

/** Where a build writes the licences of what it compiles in. */
function noticeIn(root) {
  return path.join(root, 'dist', 'THIRD-PARTY.txt');
}

module.exports = { compiledIn, forbidden, isAllowed, noticeIn, partsOf };
