import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { readOwnZip } from '../archives/read-own-zip.ts';
import { writeArchive } from '../archives/write-archive.ts';
import type { PackedFile } from '../format/skill-format.ts';

/**
 * States of skills in the database: a zip each, deduplicated by checksum. Written, read and deleted
 * in parts, so that other requests can run in between. One writer at a time.
 */
export interface SkillStates {
  /** Resolves when it is durable. */
  write(skill: string, checksum: string, files: readonly PackedFile[]): Promise<void>;
  /** The same for a zip of ours, which is created only if needed. */
  writeZip(skill: string, checksum: string, pack: () => Promise<Uint8Array>): Promise<void>;
  /** Undefined if it is not stored. */
  read(skill: string, checksum: string): Promise<PackedFile[] | undefined>;
  /** Deletes all other states of a skill. */
  keepOnly(skill: string, checksums: ReadonlySet<string | null>): Promise<void>;
  /** Skills with stored states. */
  skills(): Promise<string[]>;
}

/** In bytes: takes some milliseconds to write. */
const partSize = 1024 * 1024;

type Row = Omit<Schema['skill_states'], 'bytes'>;

export function createSkillStates(database: Database): SkillStates {
  const writeZip: SkillStates['writeZip'] = async (skill, checksum, pack) => {
    const found = await partsOf(database, skill, checksum);
    if (!isWhole(found)) {
      const zip = await pack();
      await remove(database, found);
      await insert(database, { skill, checksum, zip });
    }
  };
  return {
    writeZip,
    write: (skill, checksum, files) =>
      writeZip(skill, checksum, () => writeArchive(skill, files, 'zip')),
    read: async (skill, checksum) => {
      const found = await partsOf(database, skill, checksum);
      const zip = isWhole(found) ? await read(database, found) : undefined;
      return zip && readOwnZip(zip);
    },
    keepOnly: async (skill, checksums) => {
      const states = database.selectFrom('skill_states').select('checksum').distinct();
      for (const { checksum } of await states.where('skill', '=', skill).execute()) {
        if (!checksums.has(checksum)) {
          await remove(database, await partsOf(database, skill, checksum));
        }
      }
    },
    skills: async () => {
      const rows = await database.selectFrom('skill_states').select('skill').distinct().execute();
      return rows.map(({ skill }) => skill);
    },
  };
}

/** Its parts. */
async function partsOf(database: Database, skill: string, checksum: string): Promise<Row[]> {
  return database
    .selectFrom('skill_states')
    .select(['skill', 'checksum', 'part', 'parts'])
    .where('skill', '=', skill)
    .where('checksum', '=', checksum)
    .orderBy('part')
    .execute();
}

/** A write that was interrupted by a crash has too few parts. */
function isWhole(found: readonly Row[]): boolean {
  return found.length > 0 && found.length === found[0]?.parts;
}

async function insert(
  database: Database,
  { zip, ...state }: { skill: string; checksum: string; zip: Uint8Array },
): Promise<void> {
  const parts = Math.ceil(zip.length / partSize);
  for (let part = 0; part < parts; part += 1) {
    const bytes = zip.subarray(part * partSize, (part + 1) * partSize);
    const row = { ...state, part, parts, bytes };
    await database.insertInto('skill_states').values(row).execute();
    await yieldToEventLoop();
  }
}

/** Undefined if a part is missing, perhaps because it has just been deleted. */
async function read(database: Database, parts: readonly Row[]): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  for (const { skill, checksum, part } of parts) {
    const row = await database
      .selectFrom('skill_states')
      .select('bytes')
      .where('skill', '=', skill)
      .where('checksum', '=', checksum)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!row) {
      return undefined;
    }
    pieces.push(new Uint8Array(row.bytes));
    await yieldToEventLoop();
  }
  return Buffer.concat(pieces);
}

async function remove(database: Database, parts: readonly Row[]): Promise<void> {
  for (const { skill, checksum, part } of parts) {
    await database
      .deleteFrom('skill_states')
      .where('skill', '=', skill)
      .where('checksum', '=', checksum)
      .where('part', '=', part)
      .execute();
    await yieldToEventLoop();
  }
}
