import { codeOf, messageOf } from '../errors';
import type { DriverErrorCode, DriverErrorDetails } from '../contract/api';
import { DriverError } from '../contract/driver-error';

/** `head`: nothing of the answer was understood yet. `body`: the answer was cut while it arrived. */
export type Phase = 'head' | 'body';

interface Failure extends DriverErrorDetails {
  code: DriverErrorCode;
  message: string;
}

const CLOSED_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const POOL_CLOSED_CODES = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const UNROUTABLE_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);
const CONNECT_TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const UNTRUSTED_CERTIFICATE = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED/;
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

/** True when the other side hung up, which is what a stale keep-alive connection does. */
export function isConnectionClosed(error: unknown): boolean {
  return CLOSED_CODES.has(codeOf(error) ?? '');
}

/** Names the server by host and port only: credentials and query of a URL never reach a message. */
export function explainFailure(url: URL, error: unknown, phase: Phase): DriverError {
  const { code, message, ...details } = describe(url, error, codeOf(error) ?? '', phase);
  return new DriverError(code, message, { ...details, cause: error });
}

function describe(url: URL, error: unknown, cause: string, phase: Phase): Failure {
  const { host, hostname, origin, port } = url;
  if (cause === 'UND_ERR_BODY_TIMEOUT')
    return { code: 'timeout', message: `${host} went silent in the middle of its answer` };
  if (cause === 'UND_ERR_HEADERS_TIMEOUT') return { code: 'timeout', message: `${host} did not answer in time` };
  if (POOL_CLOSED_CODES.has(cause)) return { code: 'canceled', message: `the connections to ${host} were closed` };
  if (phase === 'body') return describeBody(host, error, cause);
  if (cause === 'ECONNREFUSED') {
    return {
      code: 'unreachable',
      message: `${host} refused the connection`,
      hint: `start the server at ${origin}, or correct base_url`,
    };
  }
  if (cause === 'ENOTFOUND') {
    return {
      code: 'unreachable',
      message: `the host ${hostname} does not exist`,
      hint: 'check the host name in base_url and the network',
    };
  }
  if (cause === 'EAI_AGAIN') {
    return {
      code: 'unreachable',
      message: `the host ${hostname} cannot be looked up`,
      hint: 'check the network (DNS)',
    };
  }
  if (CONNECT_TIMEOUT_CODES.has(cause)) {
    return {
      code: 'timeout',
      message: `${host} did not accept the connection in time`,
      hint: 'check host, port and firewall',
    };
  }
  if (UNROUTABLE_CODES.has(cause)) {
    return { code: 'unreachable', message: `no route to ${host} (${cause})`, hint: 'check the network' };
  }
  if (CLOSED_CODES.has(cause)) {
    return { code: 'unreachable', message: `${host} closed the connection before it answered` };
  }
  if (UNTRUSTED_CERTIFICATE.test(cause)) {
    return {
      code: 'unreachable',
      message: `the certificate of ${host} is not trusted (${cause})`,
      hint: 'name the CA file in NODE_EXTRA_CA_CERTS',
    };
  }
  if (TLS_CODE.test(cause)) return describeTls(host, error, cause);
  if (isParserError(error) || cause === 'UND_ERR_HEADERS_OVERFLOW') {
    return {
      code: 'protocol',
      message: `${host} did not answer in HTTP (${messageOf(error)})`,
      hint: 'check base_url',
    };
  }
  if (cause === 'UND_ERR_INVALID_ARG' && messageOf(error).includes('authorization')) {
    return {
      code: 'auth',
      message: `the key for ${host} holds characters that no HTTP header may hold`,
      hint: 'look for a line break or a quote in the key',
    };
  }
  if (cause === 'UND_ERR_INVALID_ARG') {
    return {
      code: 'protocol',
      kind: 'driver_bug',
      message: `the driver made an impossible request: ${messageOf(error)}`,
    };
  }
  return {
    code: 'unreachable',
    message: `the request to ${host}${port ? '' : ` (${origin})`} failed: ${messageOf(error)}`,
  };
}

function describeTls(host: string, error: unknown, cause: string): Failure {
  const isPlain = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/i.test(`${cause} ${messageOf(error)}`);
  const reason = cause === 'EPROTO' ? 'protocol error' : cause;
  return {
    code: 'unreachable',
    message: `no TLS connection to ${host} (${reason})`,
    ...(isPlain && { hint: 'the server seems to speak plain HTTP: try http:// in base_url' }),
  };
}

function describeBody(host: string, error: unknown, cause: string): Failure {
  const isShort =
    cause === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || (isParserError(error) && /EOF/.test(messageOf(error)));
  if (isShort || CLOSED_CODES.has(cause)) {
    return {
      code: 'protocol',
      kind: 'truncated',
      message: `${host} closed the connection in the middle of its answer`,
    };
  }
  const message = `the answer of ${host} is not valid (${messageOf(error)})`;
  return { code: 'protocol', message, ...(cause === 'line_too_long' && { kind: cause }) };
}

/** The parser's errors have no code, only a name. */
function isParserError(error: unknown): boolean {
  return (error as Partial<Error> | undefined)?.name === 'HTTPParserError';
}
