'use strict';
const fs = require('node:fs');
const path = require('node:path');

/** Ends the processes that still work in a folder, where /proc tells, and names them and what is left in the folder. */
function endLeftovers(folder) {
  const processes = pids().flatMap((pid) => {
    const environment = read(pid, 'environ');
    if (pid === process.pid || !environment.includes(`=${folder}`)) return [];
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    if (command === '') return [];
    process.kill(pid, 'SIGKILL');
    return [`process ${pid} (${command})`];
  });
  return [...processes, ...fs.readdirSync(folder).map((name) => `folder ${path.join(folder, name)}`)];
}

function pids() {
  return fs.existsSync('/proc/self/environ') ? fs.readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
}

function read(pid, file) {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

module.exports = { endLeftovers };
