import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DriverError } from '../contract/driver-error';
import { codeOf, messageOf } from '../errors';
import { type ByteSource, ParsedBody, UNPARSED } from './parsed-body';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Unpacks a compressed body. Some proxies compress although the request does not allow it. */
export function decodeBody(source: ByteSource, encoding: string | undefined): ByteSource {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return source;
  const createDecoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (createDecoder) return unpack(source, createDecoder());
  return {
    take() {
      source.release();
      return Promise.reject(new DriverError('protocol', `the answer has an unknown encoding (${encoding})`));
    },
    release: () => source.release(),
  };
}

function unpack(source: ByteSource, decoder: Transform): ByteSource {
  // An error of the source destroys the decoder with that error, so the loop below throws it.
  pipeline(Readable.from(new ParsedBody(source, UNPARSED)), decoder, () => undefined);
  const pieces = (decoder as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return {
    async take() {
      try {
        const piece = await pieces.next();
        return piece.done ? undefined : [piece.value];
      } catch (error) {
        if (!/^(Z_|ERR_)/.test(codeOf(error) ?? '')) throw error;
        throw new DriverError('protocol', `the answer cannot be decompressed (${messageOf(error)})`, { cause: error });
      }
    },
    release() {
      source.release();
      decoder.destroy();
    },
  };
}
