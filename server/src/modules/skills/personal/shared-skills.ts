import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { maxReceivedSkills, mayShareSkills } from '@knowhow/shared/skills/personal-skills';
import type { Contents } from '../../content/index.ts';
import { type Account, type Caller, signedInCaller } from '../../identity/index.ts';
import type { PersonalSkill } from '../store/skill-source.ts';
import { recipientKey } from './skill-shares.ts';

/** The skills of an owner who shares some. */
export interface Sharing {
  /** Undefined for an owner who is disabled or deleted: nothing is shared. */
  account: Account | undefined;
  /** With the keys of their recipients; see `recipientKey`. */
  skills: readonly { skill: PersonalSkill; recipients: readonly string[] }[];
}

/** Shared skills in memory, by recipient. */
export interface SharedSkills {
  /** Replaces those of an owner. False if nothing changes. */
  put(owner: string, sharing: Sharing): boolean;
  /** An owner whose skills or account are not known shares nothing until the next `put`. */
  hide(owner: string): void;
  has(owner: string): boolean;
  /** Ids of those who share skills. */
  owners(): string[];
  /**
   * The skills that others share with a user or with one of the groups, by id. An owner who is no longer in the group,
   * or whose groups do not allow sharing, shares nothing.
   */
  find(user: string, groups: readonly string[]): PersonalSkill[];
}

interface Owner extends Sharing {
  account: Account | undefined;
  /** The account with its permissions, as of these contents. */
  caller?: { contents: Contents; caller: Caller };
}

interface Shared {
  owner: Owner;
  skill: PersonalSkill;
}

export function createSharedSkills(contents: () => Contents): SharedSkills {
  const owners = new Map<string, Owner>();
  /** By the key of the recipient, then by the id of the skill. */
  const byRecipient = new Map<string, Map<string, Shared>>();

  const remove = (owner: string) => {
    for (const { skill, recipients } of owners.get(owner)?.skills ?? []) {
      for (const recipient of recipients) {
        const shared = byRecipient.get(recipient);
        // Another user's skill may have got the id of a deleted one.
        if (shared?.get(skill.id)?.owner === owners.get(owner)) {
          shared?.delete(skill.id);
        }
        if (shared?.size === 0) {
          byRecipient.delete(recipient);
        }
      }
    }
    owners.delete(owner);
  };
  const put = (id: string, { account, skills }: Sharing) => {
    const known = owners.get(id);
    if (isSame(known, { account, skills })) {
      return false;
    }
    remove(id);
    if (skills.length === 0) {
      return true;
    }
    const owner: Owner = { account, skills };
    owners.set(id, owner);
    const sharedBy = withoutHiddenCharacters(account?.name ?? '');
    for (const { skill, recipients } of skills) {
      const shared = { owner, skill: withName(skill, sharedBy) };
      for (const recipient of recipients) {
        const others = byRecipient.get(recipient) ?? new Map<string, Shared>();
        byRecipient.set(recipient, others.set(skill.id, shared));
      }
    }
    return true;
  };
  return {
    put,
    hide: (id) => {
      const owner = owners.get(id);
      if (owner) {
        owner.account = undefined;
      }
    },
    has: (owner) => owners.has(owner),
    owners: () => [...owners.keys()],
    find: (user, groups) => {
      const now = contents();
      const collect = (recipient: string, group?: string) =>
        [...(byRecipient.get(recipient)?.values() ?? [])].flatMap(({ owner, skill }) =>
          owner.account?.id !== user && maySee(owner, group, now) ? [skill] : [],
        );
      const direct = collect(recipientKey({ kind: 'user', id: user }));
      const ofGroups = groups.flatMap((id) => collect(recipientKey({ kind: 'group', id }), id));
      return choose(direct, ofGroups);
    },
  };
}

function isSame(known: Sharing | undefined, { account, skills }: Sharing): boolean {
  const before = known?.skills ?? [];
  return (
    skills.length === before.length &&
    (!known || JSON.stringify(known.account) === JSON.stringify(account)) &&
    skills.every(
      ({ skill, recipients }, at) =>
        before[at]?.skill === skill && before[at].recipients.join(' ') === recipients.join(' '),
    )
  );
}

/** Whether an owner shares skills now: with single users, or with a group of theirs. */
function maySee(owner: Owner, group: string | undefined, contents: Contents): boolean {
  const { account } = owner;
  if (!account) {
    return false;
  }
  if (owner.caller?.contents !== contents) {
    owner.caller = { contents, caller: signedInCaller(account, contents) };
  }
  const { permissions, groups } = owner.caller.caller;
  return (
    mayShareSkills(permissions.personalSkills) &&
    (group === undefined || (groups.includes(group) && contents.groups.has(group)))
  );
}

/** Cached: an answer must not be prepared again because another skill has changed. */
function withName(skill: PersonalSkill, sharedBy: string): PersonalSkill {
  const known = named.get(skill);
  if (known?.sharedBy === sharedBy) {
    return known;
  }
  const result = { ...skill, sharedBy };
  named.set(skill, result);
  return result;
}

const named = new WeakMap<PersonalSkill, PersonalSkill>();

/**
 * At most as many as a user sees, by id: the start of prompts stays the same. Skills that are shared with a group do
 * not replace one that is shared with the user; among each, the newest are chosen.
 */
function choose(direct: PersonalSkill[], ofGroups: PersonalSkill[]): PersonalSkill[] {
  const newest = (skills: PersonalSkill[]) =>
    skills.sort((one, other) => other.updatedAt - one.updatedAt);
  const all = new Set([...newest(direct), ...newest(ofGroups)]);
  return [...all].slice(0, maxReceivedSkills).sort((one, other) => (one.id < other.id ? -1 : 1));
}
