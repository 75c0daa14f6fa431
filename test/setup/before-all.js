'use strict';
const { ensureBuilt } = require('../../bin/build.js');
const { sweepFolders } = require('./file-folders');

module.exports = () => {
  sweepFolders();
  // Tests run the real program: it has to be the current one.
  return ensureBuilt();
};
