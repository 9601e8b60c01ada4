const longest = 200;

/**
 * What an uploaded file is called: the last part of a path, without what cannot be seen or turns the direction of what
 * is read.
 */
export function fileName(written: string | undefined): string {
  const last = (written ?? '').split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const name = /^\.*$/.test(plain) ? 'file' : plain;
  return name.length <= longest ? name : shortened(name);
}

/** With its ending, which says what it is. */
function shortened(name: string): string {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return [...name.slice(0, longest - ending.length)].join('').trimEnd() + ending;
}
