import { gzipSync } from 'node:zlib';
import { Header, type HeaderData } from 'tar/header';
import { Pax } from 'tar/pax';

/** A tar entry with its content. */
export type RawTarEntry = HeaderData & { path: string; content?: string };

/** A gzipped tar of arbitrary entries. */
export function rawTar(entries: readonly RawTarEntry[]): Buffer {
  return gzipSync(tarBytes(entries));
}

/** The same without gzip. */
export function tarBytes(entries: readonly RawTarEntry[]): Buffer {
  const blocks = entries.flatMap(({ content = '', ...data }) => {
    const header = Buffer.alloc(512);
    const size = data.size ?? Buffer.byteLength(content);
    const isLong = new Header({ mode: 0o644, type: 'File', ...data, size }).encode(header);
    const body = Buffer.from(content);
    const padding = Buffer.alloc(-body.length & 511);
    const { path } = data;
    return [...(isLong ? [new Pax({ path }).encode()] : []), header, body, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
