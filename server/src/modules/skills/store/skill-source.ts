import type { Readable } from 'node:stream';
import type { skillSourceKinds } from '@knowhow/shared/skills/admin-skill';
import type { LeftOutReason } from '@knowhow/shared/skills/left-out';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { Skill } from '@knowhow/skill-format';
import type { LeftOut } from './scan-limits.ts';

/**
 * A source of skills: a folder, or anything else with this interface. The path of a skill consists
 * of names with forward slashes; '' if the source itself is the skill. If two sources have a skill
 * of the same name, the earlier source wins.
 */
export interface SkillSource {
  readonly kind: (typeof skillSourceKinds)[number];
  /** Whether its skills can be edited here. */
  readonly writable: boolean;
  /** Reading costs a request: nothing is read before it is needed. */
  readonly isRemote?: true;
  /** The origin that models are told; undefined for our own skills. */
  readonly label?: string;
  /** For operators, such as the path of a folder or the URL of a repository. */
  readonly location: string;
  /** Sources with the same key are the same: an open one stays open. */
  readonly key: string;
  /** Results of the last look, ordered by path. */
  list(): readonly FoundSkill[];
  status(): SourceStatus;
  /** Looks for changes since the last time, and returns them. */
  look(at: Look): Promise<readonly SkillChange[]>;
  /** Starts watching for changes. */
  watch(notices: Notices): void;
  /** The current bytes of a skill's `SKILL.md`. */
  read(skill: StoredSkill): Promise<Uint8Array>;
  /**
   * The files in a folder, whether it is a skill or not, in any order.
   *
   * @param max maximum number of files and folders to read, highest first
   * @throws a problem `not-found` if there is no such folder
   */
  files(path: string, max?: number): Promise<SkillFiles>;
  /** Undefined if there is no such file in the folder. */
  open(path: string, file: string): Promise<OpenSkillFile | undefined>;
  /** Content that was read before remains accessible. */
  close(): void;
}

/** Everywhere, where the watch has noticed changes, or at some skills and below. */
export type Look = 'everywhere' | 'noticed' | { paths: readonly string[] };

/** Callbacks of a source, perhaps called many times in a row. */
export interface Notices {
  /** There are changes at known locations. */
  noticed(): void;
  /** There may be changes anywhere in the source. */
  missed(): void;
}

/** Status of a source, besides its skills. */
export interface SourceStatus {
  /** Whether it existed at the last look; true before. */
  isThere: boolean;
  /** Whether it has any skill; true before the first look. */
  hasSkills: boolean;
  leftOut: LeftOut;
}

/** What identifies a version of a skill. */
export interface SkillVersionName {
  /** 1, 2, … */
  number: number;
  /** SHA-256 in hex over the sorted (path, SHA-256) pairs of all files. */
  digest: string;
}

/** The newest version of a skill. */
export interface PublishedVersion extends SkillVersionName {
  /** ISO 8601. */
  createdAt: string;
}

/** A skill with its location. */
export interface StoredSkill extends Skill {
  /** Set for a stored version, which an app pins or a group previews. */
  readonly fixed?: SkillVersionName;
  /** Set for a personal skill of another user, who shares it: the name of that user. */
  readonly sharedBy?: string;
  readonly source: SkillSource;
  readonly path: string;
  /** Last change of its `SKILL.md`, in milliseconds. */
  readonly updatedAt: number;
}

/** A skill of one user, ready to be offered. */
export interface PersonalSkill extends StoredSkill {
  /** SHA-256 in hex of all files, with executable bits. */
  filesChecksum: string;
}

/** A folder whose `SKILL.md` could not be read. */
export interface BrokenSkill {
  readonly source: SkillSource;
  readonly path: string;
  readonly diagnostic: Diagnostic;
}

export type FoundSkill = StoredSkill | BrokenSkill;

/** The previous and current result at a path. */
export interface SkillChange {
  before: FoundSkill | undefined;
  after: FoundSkill | undefined;
}

/** The location of a skill, whether it is valid or not. */
export type SkillLocation = Pick<FoundSkill, 'source' | 'path'>;

/** The content of a skill's folder. */
export interface SkillFiles {
  files: SourceFile[];
  /** Entries that are not read: at most 1,000. */
  skipped?: SkippedEntry[];
  /** Last change of a file, or of the entries of a folder, in milliseconds. */
  changedAt: number;
}

/** An entry of a folder that is not read: its path, a folder with a `/` at its end, and why. */
export interface SkippedEntry {
  path: string;
  why: LeftOutReason;
}

export interface SourceFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  /** In bytes. */
  size: number;
  executable: boolean;
  /** Changes whenever the content may have changed; unique across files. */
  version: string;
  /** Its bytes, or the first `max` of them; undefined if it has been deleted. */
  read(max?: number): Promise<Uint8Array | undefined>;
  /** SHA-256 in hex; undefined if it has been deleted. */
  digest(): Promise<string | undefined>;
}

/** An opened file of a skill. */
export interface OpenSkillFile {
  /** Size in bytes. */
  size: number;
  read(start: number, length: number): Promise<Buffer>;
  /** Holds the current file open, whatever happens to its path. The caller must close it. */
  hold(): Promise<HeldFile>;
}

export interface HeldFile {
  /** Size in bytes. */
  size: number;
  /** The first bytes. */
  head(length: number): Promise<Buffer>;
  /** The content, unless it is empty; later additions are ignored. */
  stream(): Readable;
  close(): Promise<void>;
}

/**
 * The name of a skill's folder; the last part of the source's location if the source is the skill.
 */
export function getFolderName(location: SkillLocation): string {
  return getFullPath(location).split('/').at(-1) ?? '';
}

/** The id of the skill in a folder. */
export function getSkillId(location: SkillLocation): string {
  return slug(getFolderName(location));
}

/** A location for admins, without paths of the host. */
export function describeLocation({ source, path }: SkillLocation): string {
  return `${source.kind}:${path || '.'}`;
}

/** The full path of a skill's folder, for operators. */
export function getFullPath({ source, path }: SkillLocation): string {
  return path === '' ? source.location : `${source.location}/${path}`;
}
