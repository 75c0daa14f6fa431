import type * as Undici from 'undici';

// What the compiler takes for undici. The library's entry also brings fetch, WebSocket and caches, 35 ms and 8 MB more. Its
// inner paths are nobody's promise, but a version that moves them fails the build and not a user.
export const Agent = require('undici/lib/dispatcher/agent') as typeof Undici.Agent;
export const Client = require('undici/lib/dispatcher/client') as typeof Undici.Client;
export const Pool = require('undici/lib/dispatcher/pool') as typeof Undici.Pool;
