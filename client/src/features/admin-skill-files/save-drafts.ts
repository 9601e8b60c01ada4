import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { type Draft, type Drafts, movedOn } from './file-drafts.ts';

/** The files of one skill, where they are kept. */
export interface SkillServer {
  readSkill: () => Promise<AdminSkillDetail>;
  /** Undefined when there is no such text file any more. */
  readText: (path: string) => Promise<string | undefined>;
  /** Throws the problem `changed-meanwhile` when the skill is in another state than `ifMatch`. */
  writeText: (path: string, text: string, ifMatch: string) => Promise<AdminSkillDetail>;
}

/** One file has been written. */
export interface Saved {
  path: string;
  text: string;
  /** The state of the skill before. */
  from: string;
  skill: AdminSkillDetail;
}

/** Somebody else changed a file that we changed as well. */
export interface Conflict {
  path: string;
  mine: string;
  /** Undefined when they deleted it. */
  theirs: string | undefined;
  /** With theirs. */
  skill: AdminSkillDetail;
}

/** How often a file is tried when the skill keeps changing, though not this file. */
const mostTries = 3;

/**
 * Writes the files one after the other, each against the state the one before it led to. Stops at the
 * first that somebody else changed meanwhile; that others of the skill have changed does no harm.
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
      left = movedOn(left, outcome.from, outcome.skill.checksum);
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
    // In this order: were it changed between the two, the next write would be refused as well.
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
