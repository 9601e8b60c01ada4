import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { slug } from '@knowhow/shared/skills/skill-name';
import { parseSkill } from '@knowhow/skill-format';
import type {
  Notices,
  OpenSkillFile,
  SkillChange,
  SkillSource,
  SourceFile,
  StoredSkill,
} from '../modules/skills/store/skill-source.ts';

/** Texts by path within the skill, including `SKILL.md`. */
type Texts = Readonly<Record<string, string>>;

/** An in-memory source, without a folder. */
export interface MemorySource extends SkillSource {
  /** Puts a skill at a path, replaces it, or removes it if undefined. */
  put(path: string, texts: Texts | undefined): void;
}

/** @param skills by path */
export function memorySource(skills: Readonly<Record<string, Texts>> = {}): MemorySource {
  const texts = new Map<string, Texts>();
  const found = new Map<string, StoredSkill>();
  let changes: SkillChange[] = [];
  let notices: Notices | undefined;
  const source: MemorySource = {
    kind: 'extra',
    writable: false,
    location: 'memory://skills',
    key: 'memory',
    list: () => [...found.values()],
    status: () => ({
      isThere: true,
      hasSkills: found.size > 0,
      leftOut: { tooDeep: 0, tooMany: 0, closed: [], foreign: [], links: [] },
    }),
    look: () => {
      const seen = changes;
      changes = [];
      return Promise.resolve(seen);
    },
    watch: (listening) => {
      notices = listening;
    },
    read: async ({ path }) => bytesOf(filesAt(texts, path), 'SKILL.md') ?? Buffer.of(),
    files: async (path) => {
      const files = filesAt(texts, path);
      return { files: Object.keys(files).map((file) => sourceFile(files, file)), changedAt: 0 };
    },
    open: async (path, file) => openFile(bytesOf(filesAt(texts, path), file)),
    close: () => {
      notices = undefined;
    },
    put: (path, files) => {
      const before = found.get(path);
      const after = files && storedSkill(source, path, files);
      texts.delete(path);
      found.delete(path);
      if (files && after) {
        texts.set(path, files);
        found.set(path, after);
      }
      changes.push({ before, after });
      notices?.noticed();
    },
  };
  for (const [path, files] of Object.entries(skills)) {
    source.put(path, files);
  }
  return source;
}

function storedSkill(source: SkillSource, path: string, files: Texts): StoredSkill {
  const name = path.split('/').at(-1) ?? path;
  const { skill } = parseSkill(bytesOf(files, 'SKILL.md') ?? Buffer.of(), slug(name));
  return { ...skill, source, path, updatedAt: 0 };
}

function filesAt(texts: ReadonlyMap<string, Texts>, path: string): Texts {
  const files = texts.get(path);
  if (!files) {
    throw problem('not-found', `There is nothing at ${path}.`);
  }
  return files;
}

function bytesOf(files: Texts, path: string): Buffer | undefined {
  return Object.hasOwn(files, path) ? Buffer.from(files[path] ?? '') : undefined;
}

function sourceFile(files: Texts, path: string): SourceFile {
  const bytes = bytesOf(files, path) ?? Buffer.of();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return {
    path,
    size: bytes.length,
    executable: false,
    version: `${path}\0${digest}`,
    read: (most) => Promise.resolve(bytes.subarray(0, most)),
    digest: () => Promise.resolve(digest),
  };
}

function openFile(bytes: Buffer | undefined): OpenSkillFile | undefined {
  return (
    bytes && {
      size: bytes.length,
      read: (start, length) => Promise.resolve(bytes.subarray(start, start + length)),
      hold: async () => ({
        size: bytes.length,
        head: (length) => Promise.resolve(bytes.subarray(0, length)),
        stream: () => Readable.from([bytes]),
        close: () => Promise.resolve(),
      }),
    }
  );
}
