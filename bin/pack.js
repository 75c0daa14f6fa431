'use strict';
// `npm pack` runs this before it packs, and with --undo after it. Two files of the package differ from those of the checkout:
// README.md tells nothing of building the program, and package.json has no scripts and no packages, as dist/ has them
// compiled in. A pack that was interrupted leaves them so; `node bin/pack.js --undo` brings the others back.
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const CHANGES = { 'README.md': packagedReadme, 'package.json': packagedManifest };

/** A comment of the README marks what is for the checkout, and another one has what the package has in its place. */
function packagedReadme(text) {
  const places = /<!-- in a clone -->\n[^]*?<!-- in the package\n([^]*?)-->\n/g;
  return text.replace(places, '$1').replaceAll('bin/cli', 'drivebay');
}

function packagedManifest(text) {
  const ofTheCheckout = {
    scripts: undefined,
    dependencies: undefined,
    devDependencies: undefined,
    allowScripts: undefined,
  };
  return `${JSON.stringify({ ...JSON.parse(text), ...ofTheCheckout }, undefined, 2)}\n`;
}

for (const [name, change] of Object.entries(CHANGES)) {
  const file = path.join(root, name);
  const kept = path.join(root, `.kept-${name}`);
  if (fs.existsSync(kept)) fs.renameSync(kept, file);
  if (process.argv.includes('--undo')) continue;
  fs.copyFileSync(file, kept);
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
}
