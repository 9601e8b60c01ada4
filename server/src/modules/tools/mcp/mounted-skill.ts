import { createHash } from 'node:crypto';
import { slug } from '@knowhow/shared/skills/skill-name';
import { getMarksChecksum } from '../../../platform/lib/files-checksum.ts';
import { parseSkill } from '../../skills/format/skill-format.ts';
import type { SkillSource, StoredSkill } from '../../skills/store/skill-source.ts';
import type { ListedFile, ListedSkill } from './skill-session.ts';

/** A remote skill and the listing of its files. */
export interface MountedSkill {
  stored: StoredSkill;
  listed: ListedSkill;
  /** By path within the skill, with forward slashes. */
  files: ReadonlyMap<string, ListedFile>;
}

const maxIdLength = 64;

/**
 * Maps a server's skills to ours, by path. Each ID is the server's label plus the skill's path, so
 * names cannot collide. No file has been read yet; the checksum is derived from the file digests.
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
    const id = isUnique && name.length < maxIdLength ? name : withHashSuffix(name, listed.uri);
    const skill = mountSkill(source, id, listed);
    const known = before.get(id);
    mounted.set(id, known?.stored.checksum === skill.stored.checksum ? known : skill);
  }
  return mounted;
}

function withHashSuffix(name: string, uri: string): string {
  const mark = createHash('sha256').update(uri).digest('hex').slice(0, 8);
  return `${name.slice(0, maxIdLength - mark.length - 1)}-${mark}`;
}

/** Path segments between the scheme and `SKILL.md`. */
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
  // JSON is valid YAML, so the frontmatter parser reads it.
  const text = `---\n${JSON.stringify(listed.frontmatter, null, 1)}\n---\n\nOn its server.\n`;
  const { skill } = parseSkill(Buffer.from(text), listed.frontmatter.name);
  const checksum = getMarksChecksum(marks);
  const stored = { ...skill, id, checksum, source, path: id, updatedAt: Date.now() };
  return { stored, listed, files };
}

function decodedPath(path: string): string {
  return path.split('/').map(decoded).join('/');
}

/** The hex part of a digest such as `sha256:…`. */
export function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1);
}
