import { isUtf8 } from 'node:buffer';
import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server';
import {
  DIRECTORY_MIME_TYPE,
  type Skill,
  type SkillReadResult,
} from '@modelcontextprotocol/server/ext/skills';
import { invalidCursorMessage } from '../../../platform/lib/cursors.ts';
import { detectMediaType } from '../../../platform/lib/media-type.ts';
import type { SkillView, VisibleSkill } from '../../skills/index.ts';
import { type PublishedSkill, publishSkill } from './published-skill.ts';

const scheme = 'skill://';

/** The location of a skill or one of its files. */
interface SkillAddress {
  id: string;
  path: string[];
}

function skillUri(id: string, path: readonly string[] = []): string {
  return scheme + [id, ...path].map(encodeURIComponent).join('/');
}

/**
 * Parses one of our skill URIs, with any percent-encoding. Undefined if invalid. A trailing slash
 * is ignored.
 */
function parseSkillUri(uri: string): SkillAddress | undefined {
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

const pageSize = 50;
/** Maximum skills examined per page, since not all of them can be published. */
const maxExamined = 200;

/**
 * Serves the skills visible to the caller over the MCP skills extension. Hidden ones appear not to
 * exist.
 */
export function serveSkills(view: SkillView) {
  return {
    /** A page of skills; it may be empty although another follows. */
    list: async (cursor: string | undefined) => {
      const { published, nextCursor } = await pageOfSkills(view, cursor);
      return { skills: published.map(entryOf), ...nextCursor };
    },
    /** By the URI of its `SKILL.md`. */
    get: async (uri: string) => {
      const found = await findIn(view, uri);
      return found?.path === 'SKILL.md' ? entryOf(found.published) : undefined;
    },
    read: async (uri: string) => {
      const found = await findIn(view, uri);
      const isFile = found?.published.files.some(({ path }) => path === found.path);
      return found && isFile ? readFile(view, found.published.skill, found.path) : undefined;
    },
    /** Direct children of a folder. */
    readDirectory: async (uri: string) => {
      const found = await findIn(view, uri);
      const resources = found ? childrenOf(found.published, found.path) : [];
      return resources.length > 0 ? { resources } : undefined;
    },
  };
}

/** A page of `resources/list`: the `SKILL.md` of each skill. */
export async function listResources(
  view: SkillView,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const { published, nextCursor } = await pageOfSkills(view, cursor);
  return { resources: published.map(manifestOf), ...nextCursor };
}

interface Page {
  published: PublishedSkill[];
  nextCursor: { nextCursor?: string };
}

/** Keyset pagination by ID, so that pages stay consistent when skills change. */
async function pageOfSkills(view: SkillView, cursor: string | undefined): Promise<Page> {
  const after = cursor === undefined ? '' : idIn(cursor);
  const skills = sortedById(view).filter(({ id }) => id > after);
  const published: PublishedSkill[] = [];
  let at = 0;
  while (at < skills.length && at < maxExamined && published.length < pageSize) {
    const skill = skills[at];
    const found = skill && (await publishSkill(view, skill));
    published.push(...(found ? [found] : []));
    at += 1;
  }
  const last = at < skills.length ? skills[at - 1] : undefined;
  return { published, nextCursor: last ? { nextCursor: cursorAt(last) } : {} };
}

const prefix = 'after:';

function cursorAt({ id }: VisibleSkill): string {
  return Buffer.from(prefix + id).toString('base64url');
}

function idIn(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(prefix)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, invalidCursorMessage);
  }
  return text.slice(prefix.length);
}

function sortedById({ skills }: SkillView): readonly VisibleSkill[] {
  const known = sorted.get(skills) ?? skills.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  sorted.set(skills, known);
  return known;
}

const sorted = new WeakMap<SkillView['skills'], readonly VisibleSkill[]>();

interface Found {
  published: PublishedSkill;
  /** Path within the skill; '' is its root folder. */
  path: string;
}

/** Resolves a URI to a skill and a path within it, which may not exist. */
async function findIn(view: SkillView, uri: string): Promise<Found | undefined> {
  const address = parseSkillUri(uri);
  const skill = address && view.find(address.id);
  const published =
    skill?.id === address?.id && skill ? await publishSkill(view, skill) : undefined;
  if (!address || !published) {
    return undefined;
  }
  const { below } = published;
  return below.every((name, at) => address.path[at] === name)
    ? { published, path: address.path.slice(below.length).join('/') }
    : undefined;
}

function uriIn({ skill, below }: PublishedSkill, path: string): string {
  return skillUri(skill.id, [...below, ...(path === '' ? [] : path.split('/'))]);
}

function entryOf(published: PublishedSkill): Skill {
  return {
    uri: uriIn(published, 'SKILL.md'),
    frontmatter: published.frontmatter,
    ...versionOf(published),
    resources: published.files.map(({ path, size, digest }) => ({
      uri: uriIn(published, path),
      digest,
      size,
    })),
  };
}

function manifestOf(published: PublishedSkill): Resource {
  const { name, description } = published.frontmatter;
  const size = published.files.find(({ path }) => path === 'SKILL.md')?.size ?? 0;
  return { uri: uriIn(published, 'SKILL.md'), name, description, mimeType: markdown, size };
}

const markdown = 'text/markdown';

async function readFile(
  view: SkillView,
  skill: VisibleSkill,
  path: string,
): Promise<SkillReadResult | undefined> {
  const file = await view.openFile(skill, path);
  if (!file) {
    return undefined;
  }
  const bytes = await file.read(0, file.size);
  const mimeType = path.endsWith('.md') ? markdown : detectMediaType(path, bytes).type;
  return isUtf8(bytes) ? { text: bytes.toString(), mimeType } : { bytes, mimeType };
}

/** Direct children of a folder of a skill; empty if it is not a folder. */
function childrenOf(published: PublishedSkill, folder: string): Resource[] {
  const start = folder === '' ? '' : `${folder}/`;
  const children = new Map<string, Resource>();
  for (const { path, size } of published.files) {
    const rest = path.startsWith(start) ? path.slice(start.length) : '';
    const [name = '', ...deeper] = rest.split('/');
    const uri = uriIn(published, start + name);
    if (name !== '' && deeper.length > 0) {
      children.set(name, { uri, name, mimeType: DIRECTORY_MIME_TYPE });
    } else if (name !== '') {
      const type = name.endsWith('.md') ? { mimeType: markdown } : {};
      children.set(name, { uri, name, size, ...type });
    }
  }
  return [...children.values()];
}

/** Tells which version of the skill this is. */
function versionOf({ version }: PublishedSkill): { _meta?: Record<string, unknown> } {
  return version
    ? { _meta: { 'knowhow/version': version.number, 'knowhow/digest': version.digest } }
    : {};
}
