import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { reasonOf } from '../../../core/devices/mcp/reason-of';

test.each([
  [
    new McpError(ErrorCode.RequestTimeout, 'Request timed out', { timeout: 29_990 }),
    'it timed out: there is no answer after 30 s',
  ],
  [
    new McpError(ErrorCode.RequestTimeout, 'Maximum total timeout exceeded', { maxTotalTimeout: 3_600_000 }),
    'it timed out: there is no answer after 3600 s',
  ],
  [new McpError(ErrorCode.ConnectionClosed, 'Connection closed'), 'the connection was closed'],
  [new McpError(ErrorCode.MethodNotFound, 'no such folder'), 'no such folder'],
  [new Error('Streamable HTTP error: Error POSTing to endpoint: too many'), 'too many'],
  [new Error('plain'), 'plain'],
])('an error of the other side is told without words of the SDK: %s', (error, words) => {
  expect(reasonOf(error)).toBe(words);
});
