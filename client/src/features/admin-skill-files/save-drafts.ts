import { Problem } from '@knowhow/shared/problem';
import type { EditedSkill } from './draft/edited-skill.ts';
import { type Draft, type Drafts, rebaseDrafts } from './file-drafts.ts';

/** Reads and writes the files of a skill. */
export interface SkillServer {
  readSkill: () => Promise<EditedSkill>;
  /** Undefined if the text file no longer exists. */
  readText: (path: string) => Promise<string | undefined>;
  /** Throws `changed-meanwhile` if the skill's revision is not `ifMatch`. */
  writeText: (path: string, text: string, ifMatch: string) => Promise<EditedSkill>;
}

/** The result of writing one file. */
export interface Saved {
  path: string;
  text: string;
  /** The previous revision of the skill. */
  from: string;
  skill: EditedSkill;
}

/** A conflict: another user changed the same file. */
export interface Conflict {
  path: string;
  mine: string;
  /** Undefined if they deleted it. */
  theirs: string | undefined;
  /** Revision with their version. */
  skill: EditedSkill;
}

/** Maximum retries per file if the skill, but not this file, keeps changing. */
const mostTries = 3;

/**
 * Writes the files one after the other, each against the revision that the previous write created. Stops at the
 * first conflict. Changes to other files of the skill are not conflicts.
 */
export async function saveDrafts(
  drafts: Drafts,
  server: SkillServer,
  onSaved: (saved: Saved) => void,
): Promise<Conflict | undefined> {
  let left = drafts;
  for (const path of Object.keys(drafts)) {
    const draft = left[path];
    const outcome = draft && (await saveDraft(path, draft, server));
    if (outcome && 'mine' in outcome) {
      return outcome;
    }
    if (outcome) {
      left = rebaseDrafts(left, outcome.from, outcome.skill.checksum);
      onSaved(outcome);
    }
  }
  return undefined;
}

async function saveDraft(
  path: string,
  { base, text, checksum }: Draft,
  server: SkillServer,
): Promise<Saved | Conflict> {
  let from = checksum;
  for (let tries = 1; ; tries += 1) {
    try {
      return { path, text, from, skill: await server.writeText(path, text, from) };
    } catch (error) {
      if (!isChangedMeanwhile(error) || tries === mostTries) {
        throw error;
      }
    }
    // In this order: a change between the two calls is then detected by the next write.
    const skill = await server.readSkill();
    const theirs = await server.readText(path);
    if (theirs === text) {
      return { path, text, from: skill.checksum, skill };
    }
    if (theirs !== base) {
      return { path, mine: text, theirs, skill };
    }
    from = skill.checksum;
  }
}

export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof Problem && error.code === 'changed-meanwhile';
}
