'use strict';
const fs = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');
const { makeFolder } = require('./file-folders');

/** What the program and the kit for authors call their folders. Node and npm keep things of their own beside them. */
const OURS = /^(drivebay-(?!test-)|fake cli-)/;

/**
 * Gives each file of tests a temporary folder of its own, and removes it also where every test of the file is skipped:
 * Jest runs no `afterAll` then. Fails for what the program itself left in it.
 */
module.exports = class extends TestEnvironment {
  constructor(...parts) {
    const before = process.env.TMPDIR;
    const folder = makeFolder();
    process.env.TMPDIR = folder;
    super(...parts);
    this.folder = folder;
    this.before = before;
  }

  async teardown() {
    await super.teardown();
    // Jest calls it once more after an error.
    if (!fs.existsSync(this.folder)) return;
    if (this.before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.before;
    const left = fs.readdirSync(this.folder).filter((name) => OURS.test(name));
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    if (left.length > 0) throw new Error(`left in the temporary folder: ${left.join(', ')}`);
  }
};
