/** An entry of an archive to create. */
export interface TarEntry {
  /** Relative, with forward slashes. */
  path: string;
  kind: 'file' | 'folder' | 'pipe';
  bytes?: Uint8Array;
  executable?: boolean;
}

const block = 512;
const kinds = { file: '0', folder: '5', pipe: '6' };
const longName = 'L';
const nameBytes = 100;

/** Creates a tar archive from trusted entries; long names use the GNU extension. */
export function packTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(2 * block)]);
}

function blocksOf({ path, kind, bytes = new Uint8Array(), executable }: TarEntry): Buffer[] {
  const name = Buffer.from(path);
  const mode = kind === 'folder' || executable ? 0o755 : 0o644;
  const long = Buffer.concat([name, Buffer.alloc(1)]);
  return [
    ...(name.length > nameBytes
      ? [
          headerOf({ name: Buffer.from('long'), size: long.length, type: longName, mode }),
          padded(long),
        ]
      : []),
    headerOf({ name, size: bytes.length, type: kinds[kind], mode }),
    padded(bytes),
  ];
}

interface Header {
  name: Buffer;
  size: number;
  type: string;
  mode: number;
}

function headerOf({ name, size, type, mode }: Header): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  name.copy(header, 0, 0, nameBytes);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  // Archive tools in scripts reject dates before 1980.
  octal(Math.floor(Date.now() / 1000), 136, 12);
  header.write('        ', 148, 'latin1');
  header.write(type, 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Padded to whole blocks. */
function padded(bytes: Uint8Array): Buffer {
  const padding = (block - (bytes.length % block)) % block;
  return Buffer.concat([bytes, Buffer.alloc(padding)]);
}
