const pictureNames = /\.(?:png|jpe?g|gif|webp)$/i;
/** Magic bytes of images, in hexadecimal. */
const pictures: readonly [magicBytes: RegExp, type: string][] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
];

const binaries: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
]);

export interface MediaType {
  kind: 'text' | 'picture' | 'binary';
  type: string;
}

/**
 * Detects a file's type by its name and magic bytes. All text is plain text: HTML, SVG and scripts
 * are displayed, never executed (XSS). Images must have valid magic bytes: models reject anything
 * else, such as Git LFS pointers.
 */
export function detectMediaType(path: string, head: Uint8Array): MediaType {
  const picture = pictureNames.test(path) ? pictureType(head) : undefined;
  if (picture) {
    return { kind: 'picture', type: picture };
  }
  if (!head.includes(0) && isUtf8(head)) {
    return { kind: 'text', type: 'text/plain; charset=utf-8' };
  }
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return { kind: 'binary', type: binaries.get(extension) ?? 'application/octet-stream' };
}

function pictureType(head: Uint8Array): string | undefined {
  const magicBytes = Buffer.from(head.subarray(0, 16)).toString('hex');
  return pictures.find(([pattern]) => pattern.test(magicBytes))?.[1];
}

function isUtf8(head: Uint8Array): boolean {
  try {
    // `stream` tolerates a character split at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
