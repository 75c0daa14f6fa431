'use strict';
/**
 * Imports an ES module. It stands in a file of its own, outside of the program's: on Node 20, code that comes from V8's
 * cache (code-cache.js) cannot `import()`: "A dynamic import callback was not specified".
 */
module.exports = { importModule: (url) => import(url) };
