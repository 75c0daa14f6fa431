import type * as Undici from 'undici';

// The bundle takes this file in place of undici, whose entry also brings fetch, WebSocket and caches: 35 ms and 13 MB more.
// The inner paths are private, but a version that moves them fails the build, not a user.
export const Agent = require('undici/lib/dispatcher/agent') as typeof Undici.Agent;
export const buildConnector = require('undici/lib/core/connect') as typeof Undici.buildConnector;
export const Client = require('undici/lib/dispatcher/client') as typeof Undici.Client;
export const Pool = require('undici/lib/dispatcher/pool') as typeof Undici.Pool;
