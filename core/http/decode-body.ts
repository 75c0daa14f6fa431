import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DriverError } from '../contract/driver-error';
import { codeOf, messageOf } from '../errors';
import { readBytes, type ByteSource } from './byte-source';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Unpacks a body that was compressed although nobody asked for it. Some proxies do that. */
export function decodeBody(source: ByteSource, encoding: string | undefined): ByteSource {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return source;
  const createDecoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!createDecoder)
    return refuse(source, new DriverError('protocol', `the answer has an unknown encoding (${encoding})`));
  return unpack(source, createDecoder());
}

function unpack(source: ByteSource, decoder: Transform): ByteSource {
  // An error of the source destroys the decoder with that error, so the loop below throws it.
  pipeline(Readable.from(readBytes(source)), decoder, () => undefined);
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

function refuse(source: ByteSource, error: Error): ByteSource {
  return {
    take() {
      source.release();
      return Promise.reject(error);
    },
    release: () => source.release(),
  };
}
