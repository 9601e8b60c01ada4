import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/**
 * A zip that is created while it is read, one file at a time: streamed with backpressure, without
 * buffering it. Destroying the stream stops all work.
 */
export interface ZipStream {
  output: Readable;
  /** Uncompressed bytes so far. */
  produced: number;
  /** Bytes of the zip so far. */
  compressed: number;
  /** Adds a file; resolves when its content has been read completely. Sizes in bytes. */
  add(source: Readable, entry: StreamedEntry): Promise<{ size: number; sha256: string }>;
  /** Adds the last file, uncompressed. */
  end(content: Buffer, entry: StreamedEntry): void;
  /** Ends the zip without another file. */
  close(): void;
}

export interface StreamedEntry {
  path: string;
  executable?: boolean;
  mtime: Date;
}

/** @param fill adds the files and ends the zip; if it fails, the stream fails */
export function streamZip(fill: (zip: ZipStream) => Promise<void>): Readable {
  const file = new ZipFile();
  const output = new PassThrough();
  const zip: ZipStream = {
    output,
    produced: 0,
    compressed: 0,
    add: (source, entry) => add({ file, zip }, source, entry),
    end: (content, { path, mtime }) => {
      file.addBuffer(content, path, { compress: false, mtime });
      file.end();
    },
    close: () => file.end(),
  };
  file.outputStream.on('data', (chunk: Buffer) => {
    zip.compressed += chunk.length;
    if (!output.write(chunk)) {
      file.outputStream.pause();
    }
  });
  output.on('drain', () => file.outputStream.resume());
  file.outputStream.once('end', () => output.end());
  file.on('error', (error) => output.destroy(error));
  // It may fail before anyone reads: a later reader gets the error then.
  output.on('error', () => undefined);
  fill(zip).catch((error: Error) => output.destroy(error));
  return output;
}

interface ZipTarget {
  file: ZipFile;
  zip: ZipStream;
}

async function add(
  { file, zip }: ZipTarget,
  source: Readable,
  { path, executable = false, mtime }: StreamedEntry,
): Promise<{ size: number; sha256: string }> {
  if (zip.output.destroyed) {
    source.destroy();
    throw new Error('The archive is no longer being read.');
  }
  const hash = createHash('sha256');
  const measured = Readable.from(measure(source, hash, zip), { objectMode: false });
  // A slow reader may disconnect in the middle of a file.
  const stop = () => measured.destroy();
  zip.output.once('close', stop);
  const before = zip.produced;
  file.addReadStream(measured, path, { mtime, mode: executable ? 0o100755 : 0o100644 });
  try {
    await finished(measured);
  } finally {
    zip.output.removeListener('close', stop);
    source.destroy();
  }
  return { size: zip.produced - before, sha256: hash.digest('hex') };
}

async function* measure(source: Readable, hash: Hash, zip: ZipStream): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    hash.update(bytes);
    zip.produced += bytes.length;
    yield bytes;
  }
}
