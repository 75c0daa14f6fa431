'use strict';
const fs = require('node:fs');
const path = require('node:path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium on this machine: the one in CHROMIUM_PATH, or one with a usual name. */
function findChromium(environment = process.env) {
  if (environment.CHROMIUM_PATH) return isProgram(environment.CHROMIUM_PATH) ? environment.CHROMIUM_PATH : undefined;
  const folders = (environment.PATH ?? '').split(path.delimiter).filter(Boolean);
  return [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PLACES].find(isProgram);
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

module.exports = { findChromium };
