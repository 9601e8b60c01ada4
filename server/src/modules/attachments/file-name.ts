const maxLength = 200;

/**
 * Sanitizes an uploaded file's name: the last path segment, without invisible and bidirectional
 * control characters.
 */
export function fileName(written: string | undefined): string {
  const last = (written ?? '').split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const name = /^\.*$/.test(plain) ? 'file' : plain;
  return name.length <= maxLength ? name : truncate(name);
}

/** Truncates the name but keeps its extension. */
function truncate(name: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return [...name.slice(0, maxLength - extension.length)].join('').trimEnd() + extension;
}
