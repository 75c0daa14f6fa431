'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** A temporary folder for a file of tests. Its name is short, because systems limit the length of a socket's path. */
const makeFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), `dt-${process.pid}-`));

/** Removes what runs of tests that were killed have left. */
function sweepFolders() {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = /^dt-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) fs.rmSync(path.join(os.tmpdir(), name), { recursive: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

module.exports = { makeFolder, sweepFolders };
