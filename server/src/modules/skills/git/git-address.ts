import { problem } from '@knowhow/shared/problem';

/** A repository, and the place in it that an address names. */
export interface GitAddress {
  /** The repository's address, without credentials, query and fragment. */
  url: URL;
  /** A branch, tag or commit; undefined for the default branch. */
  ref: string | undefined;
  /** The folder in the repository, '' for its root. */
  path: string;
  /**
   * Segments of a link that begin with a ref and continue with a path. Where one ends is only known
   * from the refs, because their names may contain slashes.
   */
  refAndPath: readonly string[] | undefined;
}

interface Choice {
  ref?: string | undefined;
  path?: string | undefined;
  /** Whether the address may be one of ssh, which needs the key of a source. */
  withSsh?: boolean;
}

const examples =
  'Enter the https address of a repository, a link to a folder or a SKILL.md in it, or owner/repo.';
const maxLength = 2000;

/**
 * Parses a pasted address: `owner/repo` on GitHub, an https address of a repository, or a link to a
 * folder or a file on GitHub, GitLab, Gitea, Forgejo or Bitbucket. A given ref or path takes precedence. For sources
 * also `ssh://user@host:port/path` or `user@host:path`.
 *
 * @throws a problem that says what an address may be
 */
export function parseGitAddress(address: string, choice: Choice = {}): GitAddress {
  const text = address.trim();
  if (text === '' || text.length > maxLength || /[\p{Cc}\s]/u.test(text)) {
    throw refusal(`This is not the address of a repository. ${examples}`);
  }
  if (text.startsWith('-')) {
    throw refusal(`An address cannot begin with "-". ${examples}`);
  }
  if (isLocalPath(text)) {
    throw refusal(
      `"${text}" is a path on a computer, which is not read. Push the folder to a git server, or begin with https:// if it is the address of one. ${examples}`,
    );
  }
  if (/^ssh:|^git\+ssh:|^[\w.-]+@[\w.-]+:/i.test(text)) {
    if (!choice.withSsh) {
      throw refusal(
        'Addresses of ssh are not supported without a source, which names a key. Add a source, or enter the https address of the repository.',
      );
    }
    return {
      url: parseSshAddress(text),
      ref: choice.ref === undefined ? undefined : checkRef(choice.ref),
      path: checkPath(choice.path ?? ''),
      refAndPath: undefined,
    };
  }
  const { url, ref, path, refAndPath } = readLink(toUrl(text));
  const wanted = choice.ref ?? ref;
  const isChosen = choice.ref !== undefined;
  return {
    url,
    ref: wanted === undefined ? undefined : checkRef(wanted),
    path: checkPath(choice.path ?? (isChosen ? '' : path)),
    refAndPath: isChosen ? undefined : refAndPath?.map(checkSegment),
  };
}

/** A path such as `/srv/skills`, `../skills`, `~/skills`, `a/b/c`, `C:\skills` or `file:skills`. */
function isLocalPath(text: string): boolean {
  const isRelative = /^[\w-]+(?:\/[^/]+){2,}\/?$/.test(text);
  return isRelative || /^\.{0,2}\/|^\.{1,2}$|^~|^[a-z]:[\\/](?!\/)|^file:(?!\/\/)|\\/i.test(text);
}

function toUrl(text: string): URL {
  const isShort = /^[\w.-]+\/[\w.-]+\/?$/.test(text) && !/^[^/]*\.[a-z]{2,}\//i.test(text);
  const full = isShort
    ? `https://github.com/${text}`
    : /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
      ? text
      : `https://${text}`;
  if (!URL.canParse(full)) {
    throw refusal(`"${text}" is not the address of a repository. ${examples}`);
  }
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refusal(`Addresses of ${url.protocol.slice(0, -1)} are not supported. ${examples}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal(
      'The address contains a user name or a password. Remove it: it would appear in logs.',
    );
  }
  url.search = '';
  url.hash = '';
  return url;
}

/** The parts become arguments of ssh, and the path one of a shell on the git server. */
function parseSshAddress(text: string): URL {
  const [, user = '', host = '', port = '', path = ''] =
    /^ssh:\/\/([a-z_][\w.-]{0,63})@([a-z0-9][a-z0-9.-]{0,252})(?::(\d{1,5}))?\/(.+)$/i.exec(text) ??
    /^([a-z_][\w.-]{0,63})@([a-z0-9][a-z0-9.-]{0,252})(:)\/?(.+)$/i.exec(text) ??
    [];
  const names = path.replace(/\/$/, '').split('/');
  if (Number(port.replace(':', '')) > 65_535 || !names.every((name) => sshName.test(name))) {
    throw refusal(
      'This is not an address of ssh. Enter it as ssh://git@host:22/owner/repo.git or git@host:owner/repo.git.',
    );
  }
  const place = /^:|^22$|^$/.test(port) ? host : `${host}:${port}`;
  return new URL(`ssh://${user}@${place.toLowerCase()}/${names.join('/')}`);
}

/** Neither an option nor a step up. */
const sshName = /^(?!\.{1,2}$)[\w.~][\w.~+-]*$/;

type Link = Pick<GitAddress, 'url' | 'ref' | 'path' | 'refAndPath'>;

/** Splits a link into the repository and what follows. */
function readLink(url: URL): Link {
  const segments = decodeSegments(url);
  if (url.hostname === 'raw.githubusercontent.com') {
    const [owner = '', repo = '', ...rest] = segments;
    const named = rest[0] === 'refs' && rest[1] === 'heads' ? rest.slice(2) : rest;
    return linkTo(new URL('https://github.com/'), [owner, repo], withoutFile(named));
  }
  const at = findMarker(segments, url.hostname);
  if (!at) {
    return { ...linkTo(url, segments), refAndPath: undefined };
  }
  return linkTo(url, segments.slice(0, at.start), withoutFile(segments.slice(at.end)));
}

function linkTo(url: URL, repository: readonly string[], refAndPath?: readonly string[]): Link {
  const names = repository.filter((name) => name !== '');
  if (names.length === 0) {
    throw refusal(`The address names no repository. ${examples}`);
  }
  const root = new URL(url);
  root.pathname = names.map(encodeURIComponent).join('/');
  const rest = refAndPath?.length ? refAndPath : undefined;
  return { url: root, ref: undefined, path: '', refAndPath: rest };
}

function decodeSegments(url: URL): string[] {
  try {
    return url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    throw refusal(`The address has an invalid "%". ${examples}`);
  }
}

/** Finds the place at which a link stops naming the repository: `/-/tree/`, `/tree/`, `/blob/`, `/src/branch/`, `/src/`. */
function findMarker(
  segments: readonly string[],
  host: string,
): { start: number; end: number } | undefined {
  const dash = segments.indexOf('-');
  if (dash >= 2 && views.has(segments[dash + 1] ?? '')) {
    return { start: dash, end: dash + 2 };
  }
  const [, , view = '', kind = ''] = segments;
  if (views.has(view)) {
    return { start: 2, end: 3 };
  }
  if (view === 'src' && ['branch', 'tag', 'commit'].includes(kind)) {
    return { start: 2, end: 4 };
  }
  return view === 'src' && host === 'bitbucket.org' ? { start: 2, end: 3 } : undefined;
}

const views: ReadonlySet<string> = new Set(['tree', 'blob', 'raw']);

/** A link to a `SKILL.md` means its folder. */
function withoutFile(segments: readonly string[]): readonly string[] {
  return /^skill\.md$/i.test(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments;
}

function checkSegment(segment: string): string {
  return checkPath(segment) && segment;
}

/**
 * A ref as git allows it (git-check-ref-format), and never an option.
 *
 * @throws a problem that names it
 */
function checkRef(ref: string): string {
  const isValid =
    /^[^\p{Cc}\s~^:?*[\\]{1,200}$/u.test(ref) && !/^[-/]|\.\.|@\{|\/\/|\.lock$|[./]$|^@$/.test(ref);
  if (!isValid) {
    throw refusal(`"${ref}" cannot be a branch, a tag or a commit. Enter another ref.`);
  }
  return ref;
}

/**
 * A folder in a repository, without slashes at its ends; '' for the root.
 *
 * @throws a problem that names it
 */
function checkPath(path: string): string {
  const plain = path.replace(/^\/+|\/+$/g, '').replace(/(?:^|\/)skill\.md$/i, '');
  const names = plain.split('/');
  const isValid =
    plain === '' ||
    (plain.length <= 1000 &&
      !plain.startsWith('-') &&
      !/[\p{Cc}\\]/u.test(plain) &&
      names.every((name) => name !== '' && name !== '.' && name !== '..'));
  if (!isValid) {
    throw refusal(`"${path}" cannot be a folder of a repository. Enter another path.`);
  }
  return plain;
}

function refusal(text: string) {
  return problem('invalid-request', text, {
    issues: [{ path: 'address', code: 'git-address', message: text }],
  });
}
