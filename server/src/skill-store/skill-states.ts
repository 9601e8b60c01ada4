import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { readOwnZip } from '../archives/read-own-zip.ts';
import { writeArchive } from '../archives/write-archive.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * States of skills in the database: a zip each, named by the checksum, so that none is kept twice. It is
 * written, read and removed in parts, between which others are answered. One at a time may write.
 */
export interface SkillStates {
  /** Resolves when they are down on the disk. */
  write(skill: string, checksum: string, files: readonly PackedFile[]): Promise<void>;
  /** The same of a zip of ours, which is asked for when it is needed. */
  writeZip(skill: string, checksum: string, pack: () => Promise<Uint8Array>): Promise<void>;
  /** Undefined when it is not kept. */
  read(skill: string, checksum: string): Promise<PackedFile[] | undefined>;
  /** Removes everything of a skill but these states. */
  keepOnly(skill: string, checksums: ReadonlySet<string | null>): Promise<void>;
  /** Of which something is kept. */
  skills(): Promise<string[]>;
}

/** In bytes: some milliseconds to write. */
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

/** The numbers of its parts. */
async function partsOf(database: Database, skill: string, checksum: string): Promise<Row[]> {
  return database
    .selectFrom('skill_states')
    .select(['skill', 'checksum', 'part', 'parts'])
    .where('skill', '=', skill)
    .where('checksum', '=', checksum)
    .orderBy('part')
    .execute();
}

/** What a crash has cut short has too few parts. */
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

/** Undefined when a part has gone, perhaps just now. */
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
