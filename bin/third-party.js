'use strict';
// Writes the notice about the packages that are compiled in: their licences ask for it, and an installed package has no
// other copy of them.
const fs = require('node:fs');
const path = require('node:path');

const HEAD = `Drivebay is one program with the packages below compiled in. Each stands here with its version, its licence, and the
licence's text as the package has it.
`;
// Some licences have a line of dashes of their own.
const RULE = '='.repeat(80);

/** The notice for the files that went into a build, by their paths from the root. */
function thirdPartyNotice(root, files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const entries = [...folders].map((folder) => entryOf(path.join(root, folder)));
  // One version in two folders is one entry.
  return [HEAD, ...new Set(entries.sort())].join(`\n${RULE}\n\n`);
}

function entryOf(folder) {
  const { name, version, license, author } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const texts = fs
    .readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  const by = typeof author === 'object' ? author.name : author;
  return [`${name} ${version}: ${license}${by ? `, by ${by}` : ''}`, ...texts].join('\n\n') + '\n';
}

module.exports = { thirdPartyNotice };
