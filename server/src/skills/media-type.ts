const pictures: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

const binaries: Record<string, string> = {
  pdf: 'application/pdf',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

export interface MediaType {
  kind: 'text' | 'picture' | 'binary';
  type: string;
}

/**
 * What a file is, by its name and its first bytes. All text is plain text: HTML, SVG and scripts
 * are shown, never run.
 */
export function mediaTypeOf(path: string, head: Uint8Array): MediaType {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const picture = pictures[extension];
  if (picture) {
    return { kind: 'picture', type: picture };
  }
  if (!head.includes(0) && isUtf8(head)) {
    return { kind: 'text', type: 'text/plain; charset=utf-8' };
  }
  return { kind: 'binary', type: binaries[extension] ?? 'application/octet-stream' };
}

function isUtf8(head: Uint8Array): boolean {
  try {
    // `stream` forgives a character that the end of the head cuts in two.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
