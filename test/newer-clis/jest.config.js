const path = require('node:path');

const realClis = path.join(__dirname, '../real-clis');

/**
 * The tests of drivers whose programs have two current versions. The other programs are those of test/real-clis.
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('../real-programs/jest-config')(realClis),
  testRegex: '/(alpha-cli.*|clients-on-claude|gamma-cli.*|launch)\\.test\\.ts$',
};
