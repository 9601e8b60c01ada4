const scheme = 'skill://';

/** Where something of a skill is: the id, and the names below it. */
export interface SkillAddress {
  id: string;
  path: string[];
}

/** `skill://<id>/<name>/…`. */
export function skillUri(id: string, path: readonly string[] = []): string {
  return scheme + [id, ...path].map(encodeURIComponent).join('/');
}

/**
 * What a URI of ours names, however it is percent-encoded; undefined for what no URI of a skill can be. A
 * slash at the end of a folder's is passed over.
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
