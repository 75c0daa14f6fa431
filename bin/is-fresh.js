'use strict';
// Tells whether dist/ is the build of the current sources. Every command of a checkout asks, so this loads as little as possible.
const fs = require('node:fs');

const root = `${__dirname}/..`;
const STAMP = '.built';
const stamp = `${root}/dist/${STAMP}`;

const MAY_BE_MISSING = { throwIfNoEntry: false };

/** The bundled plug-ins that have something to compile. */
function listPlugins() {
  return fs.readdirSync(`${root}/plugins`).filter((name) => fs.existsSync(`${root}/plugins/${name}/index.ts`));
}

/**
 * Whether every compiled source is there and not newer, and every plug-in was compiled. A plug-in that was removed needs no
 * new build.
 */
function isFresh() {
  const build = readStamp();
  if (!build) return false;
  const plugins = listPlugins();
  if (!plugins.every((name) => build.plugins.includes(name))) return false;
  const removed = build.plugins.filter((name) => !plugins.includes(name)).map((name) => `plugins/${name}/`);
  return build.sources.every((file) => {
    const { mtimeMs } = fs.statSync(`${root}/${file}`, MAY_BE_MISSING) ?? {};
    return mtimeMs <= build.startedAt || removed.some((folder) => file.startsWith(folder));
  });
}

function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stamp, 'utf8'));
  } catch {
    return undefined; // Never compiled, or by a version that wrote another stamp.
  }
}

module.exports = { isFresh, listPlugins, stamp, STAMP };
