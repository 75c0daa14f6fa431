import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { codeOf } from '../errors';
import { sendBytes } from './answer';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

interface Asset {
  type: string;
  etag: string;
  plain: Buffer;
  /** The same, compressed by the build. */
  gzip?: Buffer;
}

/** The files of the page, read once. Only what was found can be asked for: no path leads anywhere else. */
export class Assets {
  private readonly files: ReadonlyMap<string, Asset>;

  constructor(folder: string) {
    this.files = readAssets(folder);
  }

  /** False where the page was not built. */
  get isBuilt(): boolean {
    return this.files.has('index.html');
  }

  /** Sends the file of a name, `js/app.js`. False: there is none. */
  send(request: IncomingMessage, response: ServerResponse, name: string): boolean {
    const asset = this.files.get(name);
    if (!asset) return false;
    // Asked for each time, and sent once: a new version is seen at once.
    const headers = { etag: asset.etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
    if (knows(request, asset.etag)) {
      response.writeHead(304, headers).end();
      return true;
    }
    const gzip = takesGzip(request) ? asset.gzip : undefined;
    const encoding: Record<string, string> = gzip ? { 'content-encoding': 'gzip' } : {};
    sendBytes(response, 200, { ...headers, ...encoding, 'content-type': asset.type }, gzip ?? asset.plain);
    return true;
  }
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  const paths = listFiles(folder);
  for (const path of paths) {
    const type = TYPES[extname(path)];
    // The compressed ones belong to others; anything else was not meant to be sent.
    if (type === undefined) continue;
    const plain = readFileSync(path);
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const gzip = paths.includes(`${path}.gz`) ? { gzip: readFileSync(`${path}.gz`) } : {};
    assets.set(relative(folder, path).split(sep).join('/'), { type, etag, plain, ...gzip });
  }
  return assets;
}

function listFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Both forms of a file have one tag, marked as weak by caches on the way. */
function knows({ headers }: IncomingMessage, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function takesGzip({ headers }: IncomingMessage): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((each) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(each));
}
