import type { Readable } from 'node:stream';
import type { skillSourceKinds } from '@knowhow/shared/skills/admin-skill';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { type Skill, slug } from '../skill-format/skill-format.ts';
import type { LeftOut } from './scan-limits.ts';

/**
 * Where skills come from: a folder, or anything that can do this. A skill in it has a path of names
 * with forward slashes, which is '' where the source is the skill. Of two skills with one name the
 * earlier source's counts.
 */
export interface SkillSource {
  readonly kind: (typeof skillSourceKinds)[number];
  /** Whether the skills in it can be changed from here. */
  readonly writable: boolean;
  /** Reading costs a request: nothing is read before somebody uses it. */
  readonly isRemote?: true;
  /** What models are told of where its skills come from; nothing where they are our own. */
  readonly label?: string;
  /** For those who run the server, such as the path of a folder or the address of a repository. */
  readonly location: string;
  /** Sources of one key are the same: one that is open stays open. */
  readonly key: string;
  /** What was found when it was looked at last, in the order of the paths. */
  list(): readonly FoundSkill[];
  status(): SourceStatus;
  /** Looks what has changed since the last time, and gives that. */
  look(at: Look): Promise<readonly SkillChange[]>;
  /** From now on says when it is worth a look. */
  watch(notices: Notices): void;
  /** The bytes of a skill's `SKILL.md`, as they are now. */
  read(skill: StoredSkill): Promise<Uint8Array>;
  /**
   * The files in the folder of that path, be it a skill or not, in no order.
   *
   * @param most so many are looked at, folders too, the highest first
   * @throws a problem `not-found` when there is no such folder
   */
  files(path: string, most?: number): Promise<SkillFiles>;
  /** Undefined when there is no such file in the folder. */
  open(path: string, file: string): Promise<OpenSkillFile | undefined>;
  /** What was read before can still be asked for. */
  close(): void;
}

/** Everywhere, at what the watch has noticed, or at one skill and those below. */
export type Look = 'everywhere' | 'noticed' | { path: string };

/** What a source calls, perhaps many times in a row. */
export interface Notices {
  /** It knows where something has happened. */
  noticed(): void;
  /** Something may have happened anywhere in it. */
  missed(): void;
}

/** What is known of a source besides its skills. */
export interface SourceStatus {
  /** Whether it was there when it was looked at last; true before. */
  isThere: boolean;
  /** Whether there is a skill in it; true before it was looked at. */
  hasSkills: boolean;
  leftOut: LeftOut;
}

/** A skill and where it was found. */
export interface StoredSkill extends Skill {
  readonly source: SkillSource;
  readonly path: string;
  /** When its `SKILL.md` changed last, in milliseconds. */
  readonly updatedAt: number;
}

/** A folder whose `SKILL.md` could not be read at all. */
export interface BrokenSkill {
  readonly source: SkillSource;
  readonly path: string;
  readonly diagnostic: Diagnostic;
}

export type FoundSkill = StoredSkill | BrokenSkill;

/** What was found at a path, and what is found there now. */
export interface SkillChange {
  before: FoundSkill | undefined;
  after: FoundSkill | undefined;
}

/** Where a skill is, whatever became of it. */
export type SkillLocation = Pick<FoundSkill, 'source' | 'path'>;

/** What is in a skill's folder. */
export interface SkillFiles {
  files: SourceFile[];
  /** Links that are left out, as they lead out of the folder or nowhere: their paths. */
  brokenLinks?: string[];
  /** When a file, or the names in a folder, changed last: in milliseconds. */
  changedAt: number;
}

export interface SourceFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  /** In bytes. */
  size: number;
  executable: boolean;
  /** Another one whenever the content may be another, and unlike that of any other file. */
  version: string;
  /** Its bytes, or the first of them; undefined when it has gone. */
  read(most?: number): Promise<Uint8Array | undefined>;
  /** sha256 in hex; undefined when it has gone. */
  digest(): Promise<string | undefined>;
}

/** One file of a skill, opened. */
export interface OpenSkillFile {
  /** Size in bytes. */
  size: number;
  read(start: number, length: number): Promise<Buffer>;
  /** Holds the file as it is now, whatever happens to its path. Whoever asks closes it. */
  hold(): Promise<HeldFile>;
}

export interface HeldFile {
  /** Size in bytes. */
  size: number;
  /** The first bytes. */
  head(length: number): Promise<Buffer>;
  /** All of it, where it is not empty; what is added meanwhile does not count. */
  stream(): Readable;
  close(): Promise<void>;
}

/** The name of the folder of a skill; where it is the source, what the source's location ends with. */
export function folderNameOf(location: SkillLocation): string {
  return fullPathOf(location).split('/').at(-1) ?? '';
}

/** What the skill in a folder is called by. */
export function idOf(location: SkillLocation): string {
  return slug(folderNameOf(location));
}

/** A location as an admin knows it, without the path of the host. */
export function locationOf({ source, path }: SkillLocation): string {
  return `${source.kind}:${path || '.'}`;
}

/** The folder of a skill, for those who run the server. */
export function fullPathOf({ source, path }: SkillLocation): string {
  return path === '' ? source.location : `${source.location}/${path}`;
}
