/** The skill that a file belongs to, and its path in the skill's folder. */
export interface ResourceLocation {
  skill: string;
  path: string;
}

const maxNearest = 5;
/**
 * Maximum number of compared letters: enough to distinguish files, and fast for a thousand of them.
 */
const maxCompared = 64;

/**
 * Resolves a path as models write it, relative to `skill`: URL encoding (once), backslashes, `./`,
 * `skill://name/…`, and `../sibling/…`. Undefined if it leads elsewhere.
 */
export function locateResource(written: string, skill: string): ResourceLocation | undefined {
  const path = decodeOnce(written.trim()).replaceAll('\\', '/');
  const [, scheme, rest] = /^skill:\/\/([^/]+)\/(.*)$/is.exec(path) ?? [];
  const relative = rest ?? path;
  if (relative.includes('\0') || relative.startsWith('/') || /^[a-z]:/i.test(relative)) {
    return undefined;
  }
  return walk(relative.split('/'), scheme ?? skill);
}

function walk(segments: readonly string[], skill: string): ResourceLocation | undefined {
  const names: string[] = [];
  let above = 0;
  for (const segment of segments) {
    if (segment !== '..') {
      names.push(...(segment === '' || segment === '.' ? [] : [segment]));
    } else if (names.pop() === undefined) {
      above += 1;
    }
  }
  const [sibling, ...below] = names;
  if (above === 0) {
    return { skill, path: names.join('/') };
  }
  return above === 1 && sibling !== undefined
    ? { skill: sibling, path: below.join('/') }
    : undefined;
}

/** The path without a leading name of its own skill. */
export function withoutOwnName({ skill, path }: ResourceLocation): string {
  const prefix = `${skill}/`;
  return fold(path).startsWith(fold(prefix)) ? path.slice(prefix.length) : path;
}

/**
 * Finds the file for a path: an exact match, otherwise the only one that differs in case or a
 * missing `.md`.
 */
export function findResource(path: string, files: readonly string[]): string | undefined {
  if (files.includes(path)) {
    return path;
  }
  const wanted = fold(path);
  const fits = files.filter((file) => [wanted, `${wanted}.md`].includes(fold(file)));
  return fits.length === 1 ? fits[0] : undefined;
}

/**
 * The files most similar to a path, best first: those in a folder of that name or with the same
 * base name, then by edit distance.
 */
export function nearestFiles(path: string, files: readonly string[]): string[] {
  const wanted = tail(fold(path));
  const base = baseOf(wanted);
  const ranked = files.map((file) => {
    const name = tail(fold(file));
    const isSimilar = baseOf(name) === base || name.startsWith(`${wanted}/`);
    return { file, distance: isSimilar ? 0 : 1 + editDistance(name, wanted) };
  });
  ranked.sort((one, other) => one.distance - other.distance);
  return ranked.slice(0, maxNearest).map(({ file }) => file);
}

/** The most similar file, if it is similar enough to be the intended one. */
export function likelyFile(path: string, files: readonly string[]): string | undefined {
  const wanted = nameOf(tail(fold(path)));
  return nearestFiles(path, files).find((file) => {
    const name = nameOf(tail(fold(file)));
    const isSameKind = extensionOf(name) === extensionOf(wanted);
    const maxDistance = Math.max(name.length, wanted.length) / (isSameKind ? 2 : 4);
    return baseOf(name) === baseOf(wanted) || editDistance(name, wanted) <= maxDistance;
  });
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The file name without folders and extension. */
function baseOf(path: string): string {
  return nameOf(path).replace(/\.[^.]*$/, '');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function extensionOf(name: string): string {
  return name.slice(baseOf(name).length);
}

function tail(text: string): string {
  return text.slice(-maxCompared);
}

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  const row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    let diagonal = index;
    let left = index + 1;
    row[0] = left;
    for (let column = 1; column <= other.length; column += 1) {
      const above = row[column] ?? 0;
      const exchanged = diagonal + (one[index] === other[column - 1] ? 0 : 1);
      left = Math.min(exchanged, above + 1, left + 1);
      row[column] = left;
      diagonal = above;
    }
  }
  return row[other.length] ?? 0;
}
