import express, { type RequestHandler, type Response } from 'express';
import { extname } from 'node:path';

const COMPRESSED = '.gz';

/**
 * Serves the files of a folder, in the form that the build has compressed where the client takes it. Clients may keep a
 * file, and ask each time whether it is still the same: so a new version is seen at once.
 */
export function staticFiles(folder: string): RequestHandler {
  const send = express.static(folder, {
    acceptRanges: false,
    cacheControl: false,
    lastModified: false,
    redirect: false,
    setHeaders,
  });
  return (request, response, next) => {
    const { path, url } = request;
    if (path.endsWith(COMPRESSED)) return next();
    if (!request.acceptsEncodings('gzip')) return void send(request, response, next);
    request.url = `${path === '/' ? '/index.html' : path}${COMPRESSED}`;
    void send(request, response, () => {
      request.url = url;
      void send(request, response, next);
    });
  };
}

function setHeaders(response: Response, path: string): void {
  response.vary('Accept-Encoding');
  response.setHeader('cache-control', 'no-cache');
  if (!path.endsWith(COMPRESSED)) return;
  response.setHeader('content-encoding', 'gzip');
  response.type(extname(path.slice(0, -COMPRESSED.length)));
}
