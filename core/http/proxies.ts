import { BlockList, isIP } from 'node:net';
import { unescape } from 'node:querystring';
import { DriverError } from '../contract/driver-error';

/** A proxy that a variable of the environment names. */
export interface Proxy {
  variable: string;
  url: URL;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The schemes of requests, each with its variables. As in curl, the name in lower case wins. */
const VARIABLES: Record<string, readonly string[]> = {
  'https:': ['https_proxy', 'HTTPS_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
};
/** For schemes without a variable of their own. It often names a SOCKS proxy for other programs, which does not count here. */
const ANY = ['all_proxy', 'ALL_PROXY'];
const IS_HTTP = /^(https?:\/\/|(?!.*:\/\/))/i;
const EXCEPTIONS = ['no_proxy', 'NO_PROXY'];
const LOOPBACK =
  /^(localhost\.?|.+\.localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/;

/** The proxies of an environment. */
export class Proxies {
  /** Hosts that are asked without a proxy, in the words of the variable. */
  readonly exceptions: readonly string[];
  /** By scheme, such as `https:`; an error where the variable names no proxy. */
  readonly known = new Map<string, Proxy | DriverError>();

  /** Undefined without a proxy: then no request has to ask. */
  static in(environment: Variables): Proxies | undefined {
    const proxies = new Proxies(environment);
    return proxies.known.size > 0 ? proxies : undefined;
  }

  private constructor(environment: Variables) {
    for (const [scheme, names] of Object.entries(VARIABLES)) {
      const variable = names.find((name) => environment[name]);
      const any = ANY.find((name) => environment[name] && IS_HTTP.test(environment[name]));
      const named = variable ?? any;
      if (named) this.known.set(scheme, readProxy(named, environment[named]!));
    }
    const exceptions = EXCEPTIONS.map((name) => environment[name]).find(Boolean) ?? '';
    this.exceptions = exceptions
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
  }

  /** The proxy for an address, undefined when it is asked directly. Throws when the variable names none. */
  for(url: URL): Proxy | undefined {
    const proxy = this.known.get(url.protocol);
    if (!proxy || isLoopback(url) || this.exceptions.some((entry) => excepts(entry, url))) return undefined;
    if ('code' in proxy) throw proxy;
    return proxy;
  }
}

/** The proxy without name and password. */
export function nameOf({ url }: Proxy): string {
  return `${url.protocol}//${url.host}`;
}

/** The header with the name and the password of a proxy. A `%` that begins no escape stands for itself, as in curl. */
export function credentialsFor({ url: { username, password } }: Proxy): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = [username, password].map(unescape).join(':');
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

/** The value is not shown, because it may hold a password. */
function readProxy(variable: string, value: string): Proxy | DriverError {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return { variable, url };
  const found = url ? `a proxy of the kind ${url.protocol}//` : 'no URL';
  return new DriverError('unreachable', `${variable} names ${found}: http:// or https:// is expected`, {
    kind: 'bad_option',
    hint: `correct ${variable}, for example ${variable}=http://proxy.example:3128, or unset it`,
  });
}

/**
 * `example.com` and `.example.com` mean a host and all below it, `10.0.0.0/8` the addresses of a range, `*` every host; a port
 * limits an entry to it.
 */
function excepts(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, network, bits] = /^([\d.]+|[\da-f:.]+:[\da-f:.]*)\/(\d{1,3})$/.exec(entry) ?? [];
  if (network !== undefined) return isWithin(withoutBrackets(hostname), network, Number(bits));
  const [, name = entry, wantedPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  const domain = withoutBrackets(name.replace(/^\*?\./, ''));
  const host = withoutBrackets(hostname);
  return host === domain || host.endsWith(`.${domain}`);
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  range.addSubnet(network, bits, kind);
  return range.check(host, kind);
}

/** The plain form of an IPv6 address, which stands in brackets in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
