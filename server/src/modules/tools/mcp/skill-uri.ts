const scheme = 'skill://';

/** The location of a skill or one of its files. */
export interface SkillAddress {
  id: string;
  path: string[];
}

export function skillUri(id: string, path: readonly string[] = []): string {
  return scheme + [id, ...path].map(encodeURIComponent).join('/');
}

/**
 * Parses one of our skill URIs, with any percent-encoding. Undefined if invalid. A trailing slash
 * is ignored.
 */
export function parseSkillUri(uri: string): SkillAddress | undefined {
  if (!uri.startsWith(scheme) || !URL.canParse(uri)) {
    return undefined;
  }
  const { host, username, password, search, pathname } = new URL(uri);
  const names = pathname.replace(/\/$/, '').split('/').slice(1).map(decoded);
  const id = decoded(host);
  if (username !== '' || password !== '' || search !== '' || id === undefined) {
    return undefined;
  }
  const path = names.filter((name) => name !== undefined);
  return path.length === names.length && path.every(isName) ? { id, path } : undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function isName(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\0]/.test(segment);
}
