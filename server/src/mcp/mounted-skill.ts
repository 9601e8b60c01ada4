import { createHash } from 'node:crypto';
import { checksumOfMarks } from '../lib/files-checksum.ts';
import { parseSkill, slug } from '../skill-format/skill-format.ts';
import type { SkillSource, StoredSkill } from '../skill-store/skill-source.ts';
import type { ListedFile, ListedSkill } from './skill-session.ts';

/** A skill of another server, and what is known of its files. */
export interface MountedSkill {
  stored: StoredSkill;
  listed: ListedSkill;
  /** By path in the skill, with forward slashes. */
  files: ReadonlyMap<string, ListedFile>;
}

const longestId = 64;

/**
 * The skills of a server as ours, by path: each is called by the label of its server and its own path there,
 * whatever else is called so. None of its files has been read; what it holds goes by the digests of all of
 * them.
 */
export function mountSkills(
  source: SkillSource,
  label: string,
  skills: readonly ListedSkill[],
  before: ReadonlyMap<string, MountedSkill>,
): Map<string, MountedSkill> {
  const mounted = new Map<string, MountedSkill>();
  const names = skills.map(({ uri }) => slug(`${label}-${pathOf(uri).join('-')}`));
  for (const [at, listed] of skills.entries()) {
    const name = names[at] ?? '';
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    const id = isUnique && name.length < longestId ? name : withMark(name, listed.uri);
    const skill = mountSkill(source, id, listed);
    const known = before.get(id);
    mounted.set(id, known?.stored.checksum === skill.stored.checksum ? known : skill);
  }
  return mounted;
}

function withMark(name: string, uri: string): string {
  const mark = createHash('sha256').update(uri).digest('hex').slice(0, 8);
  return `${name.slice(0, longestId - mark.length - 1)}-${mark}`;
}

/** The names between the scheme and `SKILL.md`. */
function pathOf(uri: string): string[] {
  const { host, pathname } = new URL(uri);
  return [host, ...pathname.split('/').slice(1, -1)].filter(Boolean).map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function mountSkill(source: SkillSource, id: string, listed: ListedSkill): MountedSkill {
  const root = listed.uri.slice(0, -'SKILL.md'.length);
  const files = new Map(
    listed.files.map((file) => [decodedPath(file.uri.slice(root.length)), file]),
  );
  const marks = [...files].map(([path, { digest }]) => ({
    path,
    executable: false,
    checksum: hexOf(digest),
  }));
  // JSON is YAML: its frontmatter is read as that of any file is.
  const text = `---\n${JSON.stringify(listed.frontmatter, null, 1)}\n---\n\nOn its server.\n`;
  const { skill } = parseSkill(Buffer.from(text), listed.frontmatter.name);
  const checksum = checksumOfMarks(marks);
  const stored = { ...skill, id, checksum, source, path: id, updatedAt: Date.now() };
  return { stored, listed, files };
}

function decodedPath(path: string): string {
  return path.split('/').map(decoded).join('/');
}

/** The hexadecimal digits of a digest. */
export function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1);
}
