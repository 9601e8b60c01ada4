/** Camera metadata that must be stripped from images. */
export const camera = 'Camera of Una, 46.948N';

/** A PNG of a given size with metadata; without real pixels by default. */
export function png(width: number, height: number, pixels = Buffer.from('pixels')): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${camera}`)),
    chunk('eXIf', Buffer.from(camera)),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from(camera),
  ]);
}

/** A rotated JPEG with location metadata and trailing data. */
export function jpeg(width: number, height: number): Buffer {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const tiff = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex');
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 0, 0, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0')),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from(camera)])),
    segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${camera}`)),
    segment(0xfe, Buffer.from(camera)),
    segment(0xc2, frame),
    segment(0xda, Buffer.from([1, 2, 3])),
    Buffer.from([0x11, 0xff, 0x00, 0x22, 0xff, 0xd0, 0x33]),
    segment(0xda, Buffer.from([4])),
    Buffer.from([0x44, 0xff, 0xd9]),
    Buffer.from(camera),
  ]);
}

/** A WebP with location metadata. */
export function webp(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const extended = Buffer.alloc(10);
  extended.writeUInt8(0x0c, 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const chunks = [
    chunk('VP8X', extended),
    chunk('VP8 ', Buffer.from('pixel')),
    chunk('EXIF', Buffer.from(camera)),
    chunk('XMP ', Buffer.from(camera)),
  ];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
