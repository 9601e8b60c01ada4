import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';

/** Offset of an entry's unpacked size within its record in a zip's central directory. */
const sizeInRecord = 24;
const recordMark = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
const skill = Buffer.from('---\nname: packed\ndescription: Packed.\n---\n\nDo it.\n');

/** Malicious archives: zip bombs, truncated ones, path traversal, and wrong sizes. */
export function worstArchives(isShort: boolean): Record<string, Buffer> {
  const plain = zip({ 'packed/SKILL.md': skill, 'packed/a.txt': Buffer.from('a'.repeat(1000)) });
  const bomb = Buffer.alloc((isShort ? 20 : 200) * 1024 * 1024);
  const many = isShort ? 2000 : 20_000;
  const tar = createTar('packed/SKILL.md', skill);
  return {
    empty: Buffer.alloc(0),
    'only a mark': Buffer.from('PK\u0005\u0006'),
    'a bomb': zip({ 'packed/SKILL.md': skill, 'packed/zero.bin': bomb }),
    'a bomb in gzip': gzipSync(bomb, { level: 1 }),
    'a bomb in a bomb': zip({ 'packed/SKILL.md': skill, 'packed/x.zip': zip({ zero: bomb }) }),
    'a size of 4 GB': withSize(plain, 0xffff_fffe),
    'a size of 0': withSize(plain, 0),
    'a size of 1': withSize(plain, 1),
    'thousands of entries': zip(
      Object.fromEntries(Array.from({ length: many }, (_, at) => [`packed/${at}`, skill])),
    ),
    '1,000 folders deep': zip({ [`${'a/'.repeat(1000)}SKILL.md`]: skill }),
    'a path out of it': zip({ '../../packed/SKILL.md': skill, '/etc/x': skill }),
    __proto__: zip({ '__proto__/SKILL.md': skill, 'constructor/SKILL.md': skill }),
    'cut in the middle': plain.subarray(0, plain.length / 2),
    'cut in its directory': plain.subarray(0, -30),
    'a zip before a zip': Buffer.concat([plain, plain]),
    'garbage after the mark': Buffer.concat([Buffer.from('PK\u0003\u0004'), skill, skill]),
    'gzip cut': gzipSync(tar).subarray(0, 60),
    'a tar with a wrong size': gzipSync(withWrongSize(tar)),
    'a tar with half a block': gzipSync(tar.subarray(0, 700)),
    'JSON 10,000 deep': Buffer.from('{"a":'.repeat(10_000)),
    'a frontmatter of aliases': Buffer.from(billionLaughs()),
    'a frontmatter 10,000 deep': Buffer.from(`---\nname: ${'['.repeat(10_000)}\n---\n\nx\n`),
    'a frontmatter without an end': Buffer.from(`---\n${'name: x\n'.repeat(100_000)}`),
  };
}

function zip(files: Record<string, Uint8Array>): Buffer {
  return Buffer.from(zipSync(files, { level: 1 }));
}

/** The same archive, with another unpacked size of the last entry in its central directory. */
function withSize(archive: Buffer, size: number): Buffer {
  const copy = Buffer.from(archive);
  copy.writeUInt32LE(size, copy.lastIndexOf(recordMark) + sizeInRecord);
  return copy;
}

/** A tar with one file; the header has the size at offset 124 and the checksum at 148, in octal. */
function createTar(path: string, content: Buffer): Buffer {
  const head = Buffer.alloc(512);
  head.write(path);
  head.write('0000644\u00000000000\u00000000000\u0000', 100);
  head.write(`${content.length.toString(8).padStart(11, '0')}\u0000`, 124);
  head.write('00000000000\u0000        0', 136);
  head.write('ustar\u000000', 257);
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  content.copy(padded);
  return Buffer.concat([withChecksum(head), padded, Buffer.alloc(1024)]);
}

function withWrongSize(tar: Buffer): Buffer {
  const copy = Buffer.from(tar);
  copy.write('77777777777', 124);
  return Buffer.concat([withChecksum(copy.subarray(0, 512)), copy.subarray(512)]);
}

function withChecksum(head: Buffer): Buffer {
  const copy = Buffer.from(head);
  copy.fill(' ', 148, 156);
  const sum = copy.reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return copy;
}

function billionLaughs(): string {
  const lines = Array.from({ length: 12 }, (_, at) => {
    const last = at === 0 ? '"ha"' : `*a${at - 1}`;
    return `a${at}: &a${at} [${Array.from({ length: 10 }, () => last).join(',')}]`;
  });
  return `---\nname: laughs\ndescription: Laughs.\n${lines.join('\n')}\n---\n\nDo it.\n`;
}
