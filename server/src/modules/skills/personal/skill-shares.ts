import { problem } from '@knowhow/shared/problem';
import type { SkillRecipient } from '@knowhow/shared/skills/personal-skills';
import { personalSkillName } from '@knowhow/shared/skills/skill-id';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import { addToGroup } from '../../../platform/lib/group-by.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { lockContents } from '../versions/stored-contents.ts';

export type Recipient = Pick<SkillRecipient, 'kind' | 'id'>;

/** The users and groups that personal skills are shared with. */
export interface SkillShares {
  /**
   * By the id of the skill, such as `invoices@anna`; skills that are not shared are missing. Groups and users that do not
   * exist are left out.
   */
  of(owner: string): Promise<Map<string, Recipient[]>>;
  /**
   * Shares a skill with these, and with no others. Leaves out groups that do not exist. Throws `not-found`, and
   * `changed-meanwhile` if the recipients have another checksum than expected.
   */
  replace(
    owner: string,
    name: string,
    change: { recipients: readonly Recipient[]; expected: string | undefined },
  ): Promise<ShareChange>;
  /** Ends all sharing of a user's skills. */
  endAll(owner: string): Promise<void>;
  /** The skills that are shared with a group, each with its owner and its other recipients. */
  listWith(group: string): Promise<GroupShare[]>;
  /** Ends all sharing with a user or a group that is deleted: a new one with the same id must not get the skills. */
  forget(recipient: Recipient): Promise<void>;
}

export interface GroupShare {
  /** Id of the user. */
  owner: string;
  others: Recipient[];
}

export interface ShareChange {
  /** The UUID of the skill. */
  skill: string;
  before: Recipient[];
  after: Recipient[];
}

/** For `If-Match`. */
export function recipientsChecksum(recipients: readonly Recipient[]): string {
  return sha256(JSON.stringify(recipients.map(recipientKey).sort()));
}

/** The stored form of a recipient. */
export function recipientKey({ kind, id }: Recipient): string {
  return `${kind}:${id}`;
}

/** @param onChange called with the owner after each change */
export function createSkillShares(
  database: Database,
  contents: () => Contents,
  onChange: (owner: string) => Promise<void>,
): SkillShares {
  const groupExists = ({ kind, id }: Recipient) => kind === 'user' || contents().groups.has(id);
  const readExisting = async (read: Pick<Database, 'selectFrom'>, owner: string) => {
    const rows = await readShares(read, [owner]);
    const users = await findUsers(read, rows);
    const shares = new Map<string, Recipient[]>();
    for (const { name, recipient } of rows) {
      const parsed = parseRecipient(recipient);
      if (parsed.kind === 'user' ? users.has(parsed.id) : groupExists(parsed)) {
        addToGroup(shares, name, parsed);
      }
    }
    return shares;
  };
  return {
    of: (owner) => readExisting(database, owner),
    replace: async (owner, name, { recipients, expected }) => {
      const changed = await database.transaction().execute(async (write) => {
        // The same lock as for its deletion, which must not leave shares behind.
        await lockContents(write, `of ${owner}`);
        const rows = await write
          .selectFrom('personal_skills')
          .select(['id', 'name'])
          .where('owner', '=', owner)
          .execute();
        const skill = rows.find((row) => personalSkillName(row.name) === name);
        if (!skill) {
          throw problem('not-found', `You have no skill "${name}".`);
        }
        const before = (await readExisting(write, owner)).get(skill.name) ?? [];
        checkUnchanged(expected, recipientsChecksum(before));
        await write.deleteFrom('personal_skill_shares').where('skill', '=', skill.id).execute();
        // A group may have been deleted since it was chosen.
        const after = recipients.filter(groupExists);
        const keys = [...new Set(after.map(recipientKey))];
        if (keys.length > 0) {
          const values = keys.map((recipient) => ({ skill: skill.id, recipient }));
          await write.insertInto('personal_skill_shares').values(values).execute();
        }
        return { skill: skill.id, before, after };
      });
      await onChange(owner);
      return changed;
    },
    endAll: async (owner) => {
      await database.transaction().execute(async (write) => {
        await lockContents(write, `of ${owner}`);
        await write
          .deleteFrom('personal_skill_shares')
          .where('skill', 'in', (select) =>
            select.selectFrom('personal_skills').select('id').where('owner', '=', owner),
          )
          .execute();
      });
      await onChange(owner);
    },
    listWith: async (group) => {
      const key = recipientKey({ kind: 'group', id: group });
      const rows = await database
        .selectFrom('personal_skill_shares as share')
        .innerJoin('personal_skills as skill', 'skill.id', 'share.skill')
        .select(['skill.id', 'skill.owner', 'share.recipient'])
        .where('skill.id', 'in', (select) =>
          select.selectFrom('personal_skill_shares').select('skill').where('recipient', '=', key),
        )
        .execute();
      const shares = new Map<string, GroupShare>();
      for (const { id, owner, recipient } of rows) {
        const share = shares.get(id) ?? { owner, others: [] };
        shares.set(id, share);
        if (recipient !== key) {
          share.others.push(parseRecipient(recipient));
        }
      }
      return [...shares.values()];
    },
    forget: async (recipient) => {
      const key = recipientKey(recipient);
      const owners = await database
        .selectFrom('personal_skill_shares')
        .innerJoin('personal_skills', 'personal_skills.id', 'personal_skill_shares.skill')
        .select('owner')
        .distinct()
        .where('recipient', '=', key)
        .execute();
      await database.deleteFrom('personal_skill_shares').where('recipient', '=', key).execute();
      for (const { owner } of owners) {
        await onChange(owner);
      }
    },
  };
}

/** Ids of the recipients that are users who exist. */
async function findUsers(
  database: Pick<Database, 'selectFrom'>,
  shares: readonly { recipient: string }[],
): Promise<Set<string>> {
  const recipients = shares.map(({ recipient }) => parseRecipient(recipient));
  const ids = recipients.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []));
  if (ids.length === 0) {
    return new Set();
  }
  const unique = [...new Set(ids)];
  const users = await database.selectFrom('users').select('id').where('id', 'in', unique).execute();
  return new Set(users.map(({ id }) => id));
}

/** Names of shared skills of users, with each recipient as stored. */
export function readShares(database: Pick<Database, 'selectFrom'>, owners: readonly string[]) {
  return database
    .selectFrom('personal_skills')
    .innerJoin('personal_skill_shares', 'personal_skill_shares.skill', 'personal_skills.id')
    .select(['personal_skills.owner', 'personal_skills.name', 'personal_skill_shares.recipient'])
    .where('personal_skills.owner', 'in', owners)
    .orderBy('personal_skill_shares.recipient')
    .execute();
}

function parseRecipient(key: string): Recipient {
  const at = key.indexOf(':');
  return { kind: key.slice(0, at) === 'group' ? 'group' : 'user', id: key.slice(at + 1) };
}
