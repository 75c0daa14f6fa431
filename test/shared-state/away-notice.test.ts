import { awayReason } from '../../core/shared-state/away-notice';

const failure = (message: string, code?: string) => Object.assign(new Error(message), code && { code });

test.each([
  [failure('connect ECONNREFUSED 10.1.2.3:6379', 'ECONNREFUSED'), /refused the connection/],
  [failure('getaddrinfo ENOTFOUND redis.example', 'ENOTFOUND'), /host of the address does not exist/],
  [failure('self-signed certificate in chain', 'SELF_SIGNED_CERT_IN_CHAIN'), /name the CA file in NODE_EXTRA_CA_CERTS/],
  [failure('Host: redis.example. is not in', 'ERR_TLS_CERT_ALTNAME_INVALID'), /for another name than the one of/],
  [failure('WRONGPASS invalid username-password pair'), /refuses the user or the password/],
  [failure('NOAUTH HELLO must be called with'), /wants a password/],
  [failure('NOPERM this user has no permissions to access one of the keys'), /needs all commands/],
  [failure("ERR The user executing the script can't run this command or subcommand"), /needs all commands/],
  [failure("READONLY You can't write against a read only replica."), /name the primary/],
  [failure("OOM command not allowed when used memory > 'maxmemory'."), /memory of the server is full/],
  [failure('WRONGTYPE Operation against a key holding the wrong kind of value script: 5dc1'), /holds something else/],
  [failure('ERR Error running script (call to f_1): @user_script:3: WRONGTYPE Operation'), /holds something else/],
  [failure('ERR value is not an integer or out of range'), /holds something else/],
  [failure('MOVED 3999 10.1.2.3:6379'), /is a cluster/],
  [failure("CROSSSLOT Keys in request don't hash to the same slot"), /is a cluster/],
  [failure('CLUSTERDOWN Hash slot not served'), /is a cluster/],
  [failure('Connection timeout'), /^Connection timeout$/],
])('%s is told in words that help, without the address', (error, expected) => {
  expect(awayReason(error)).toMatch(expected);
  expect(awayReason(error)).not.toMatch(/10\.1\.2\.3|redis\.example/);
});
