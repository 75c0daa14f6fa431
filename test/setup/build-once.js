'use strict';
const { ensureBuilt } = require('../../bin/build.js');

/** Tests run the real program: it has to be the current one. */
module.exports = () => ensureBuilt();
