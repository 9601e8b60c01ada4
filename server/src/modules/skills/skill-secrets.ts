import { createSeal } from '../../platform/lib/seal.ts';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';

/** Encrypted secret settings of skills. Not part of backups. */
export interface SkillSecrets {
  /** Secrets by name. Those encrypted with another key are omitted. */
  read(skill: string): Promise<Record<string, string>>;
  /** Applies all changes or none. Null deletes a value. */
  write(skill: string, changes: Readonly<Record<string, string | null>>): Promise<void>;
  /** Moves the secrets of deleted skills to the bin, replacing earlier ones. */
  discard(...skills: string[]): Promise<void>;
  /** Restores secrets from the bin. */
  restore(skill: string): Promise<void>;
  /** Deletes the secrets of a deleted skill from the bin. */
  purge(skill: string): Promise<void>;
}

/** @param key 32 bytes */
export function createSkillSecrets(database: Database, key: Uint8Array): SkillSecrets {
  const seal = createSeal(key, 'settings of skills');
  const ownerOf = (skill: string, name: string) => JSON.stringify([skill, name]);
  return {
    read: async (skill) => {
      const rows = await database
        .selectFrom('skill_secrets')
        .select(['name', 'sealed'])
        .where('skill', '=', skill)
        .execute();
      const opened = rows.flatMap(({ name, sealed }) => {
        const value = seal.open(sealed, ownerOf(skill, name));
        return value === undefined ? [] : [[name, value] as const];
      });
      return Object.fromEntries(opened);
    },
    write: (skill, changes) =>
      database.transaction().execute(async (transaction) => {
        await acquireTransactionLock(transaction, `secrets ${skill}`);
        for (const [name, value] of Object.entries(changes)) {
          await transaction
            .deleteFrom('skill_secrets')
            .where('skill', '=', skill)
            .where('name', '=', name)
            .execute();
          if (value !== null) {
            const sealed = seal.seal(value, ownerOf(skill, name));
            await transaction
              .insertInto('skill_secrets')
              .values({ skill, name, sealed, updated_at: new Date().toISOString() })
              .execute();
          }
        }
      }),
    discard: async (...skills) => {
      const owners = new Set(await findOwners(database, [...skills, ...skills.map(inBin)]));
      for (const skill of skills) {
        if (owners.has(skill) || owners.has(inBin(skill))) {
          await rename(database, skill, { from: skill, to: inBin(skill) });
        }
      }
    },
    restore: (skill) => rename(database, skill, { from: inBin(skill), to: skill }),
    purge: async (skill) => {
      await database.deleteFrom('skill_secrets').where('skill', '=', inBin(skill)).execute();
    },
  };
}

/** No valid skill name. Secrets remain encrypted for the original name. */
function inBin(skill: string): string {
  return `bin/${skill}`;
}

/** Which of these have secrets. */
async function findOwners(database: Database, skills: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('skill_secrets')
    .select('skill')
    .distinct()
    .where('skill', 'in', inList(skills))
    .execute();
  return rows.map(({ skill }) => skill);
}

async function rename(
  database: Database,
  skill: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await acquireTransactionLock(transaction, `secrets ${skill}`);
    await transaction.deleteFrom('skill_secrets').where('skill', '=', to).execute();
    await transaction
      .updateTable('skill_secrets')
      .set({ skill: to })
      .where('skill', '=', from)
      .execute();
  });
}
