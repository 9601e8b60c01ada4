import { randomUUID } from 'node:crypto';
import type { versionOrigins } from '@knowhow/shared/skills/skill-versions';
import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import { readOwnZip } from '../archives/read-own-zip.ts';
import { type DescribedFiles, describeFiles, writeManifest } from './manifest.ts';
import { digestsOf, useBlobs, writeBlobs } from './skill-blobs.ts';

/** The tables of earlier releases, which kept 20 revisions of each skill, each as a zip in parts. */
interface FormerSchema {
  skill_revisions: {
    skill: string;
    number: number;
    at: string;
    user_id: string | null;
    user_name: string | null;
    action: string;
    summary: string;
    checksum: string | null;
    files: number;
    bytes: number;
    assignments: string | null;
  };
  skill_states: {
    skill: string;
    checksum: string;
    part: number;
    parts: number;
    bytes: ArrayBuffer;
  };
}
type Former = Kysely<FormerSchema>;
type Revision = FormerSchema['skill_revisions'];

/** Turns each revision of a skill into a version with the same number. */
export async function migrateRevisions(database: Kysely<never>): Promise<void> {
  const former = database as unknown as Former;
  const write = database as unknown as Kysely<Schema>;
  const names = await former
    .selectFrom('skill_revisions')
    .select('skill')
    .distinct()
    .orderBy('skill')
    .execute();
  for (const { skill: name } of names) {
    await migrateSkill(former, write, name);
  }
}

async function migrateSkill(former: Former, write: Kysely<Schema>, name: string): Promise<void> {
  const skill = randomUUID();
  await write.insertInto('skills').values({ id: skill, name }).execute();
  const revisions = await former
    .selectFrom('skill_revisions')
    .selectAll()
    .where('skill', '=', name)
    .orderBy('number')
    .execute();
  const described = new Map<string, DescribedFiles>();
  for (const revision of revisions) {
    const { checksum } = revision;
    if (checksum !== null && !described.has(checksum)) {
      const files = await readState(former, name, checksum);
      if (files) {
        const description = await describeFiles(files);
        await writeBlobs(write, { manifest: description.manifest, files });
        await useBlobs(write, skill, digestsOf(description.manifest));
        described.set(checksum, description);
      }
    }
    const found = checksum === null ? undefined : described.get(checksum);
    await write
      .insertInto('skill_versions')
      .values(toVersion(revision, skill, found))
      .execute();
  }
}

function toVersion(
  revision: Revision,
  skill: string,
  found: DescribedFiles | undefined,
): Omit<Schema['skill_versions'], 'reviewed_by' | 'override' | 'category'> {
  const { at, ...kept } = revision;
  return {
    ...kept,
    skill,
    digest: found?.digest ?? null,
    manifest: found ? writeManifest(found.manifest) : null,
    message: '',
    origin: originOf(revision),
    origin_detail: revision.action === 'restored' ? revision.summary : null,
    created_at: at,
  };
}

function originOf({ action }: Revision): (typeof versionOrigins)[number] {
  switch (action) {
    case 'found':
      return 'file-system';
    case 'imported':
      return 'import';
    case 'restored':
      return 'restore';
    default:
      return 'page';
  }
}

/** Undefined if parts are missing after a crash, or if the zip is damaged. */
async function readState(
  former: Former,
  skill: string,
  checksum: string,
): Promise<PackedFile[] | undefined> {
  const parts = await former
    .selectFrom('skill_states')
    .selectAll()
    .where('skill', '=', skill)
    .where('checksum', '=', checksum)
    .orderBy('part')
    .execute();
  if (parts.length === 0 || parts.length !== parts[0]?.parts) {
    return undefined;
  }
  const zip = Buffer.concat(parts.map(({ bytes }) => new Uint8Array(bytes)));
  return readOwnZip(zip).catch(() => undefined);
}
