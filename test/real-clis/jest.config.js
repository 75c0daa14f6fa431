module.exports = require('../real-programs/jest-config')(__dirname);
