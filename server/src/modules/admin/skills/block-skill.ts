import { isRecord } from '@knowhow/shared/is-record';
import { type Problem, problem } from '@knowhow/shared/problem';
import type { AdminSkillBlock } from '@knowhow/shared/skills/admin-skill';
import type { SkillBlockState } from '@knowhow/shared/skills/skill-blocks';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { describeContent, findBlockedContent, getBlock } from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { entriesNamed, findEntry } from './skill-entries.ts';
import { skillReach } from './skill-reach.ts';

export type BlockAdmin = SkillAdmin & {
  analytics: { recentUses(): Promise<ReadonlyMap<string, { uses: number }> | undefined> };
};
type By = { id: string; name: string };

/** The block of a skill, and whom it affects. Throws `not-found` if there is neither the skill nor a block. */
export async function describeBlock(admin: BlockAdmin, name: string): Promise<SkillBlockState> {
  const state = await getBlockState(admin, resolveName(admin, name));
  if (!state.block && !state.exists) {
    throw problem('not-found', `There is no skill "${name}".`);
  }
  return state;
}

async function getBlockState(admin: BlockAdmin, name: string): Promise<SkillBlockState> {
  const contents = admin.contents();
  const block = getAdminBlock(name, contents.skills);
  const usages = await admin.analytics.recentUses();
  return {
    name,
    ...(block ? { block } : {}),
    exists: hasSkill(admin, name),
    ...skillReach(contents, admin.skills.snapshot)(name),
    ...(usages ? { uses: usages.get(name)?.uses ?? 0 } : {}),
  };
}

/** Blocks a skill, or changes the reason of its block. Returns once the configuration is stored. */
export async function blockSkill(
  admin: BlockAdmin,
  { name, by }: { name: string; by: By },
  given: { reason: string; tellUsers: boolean },
): Promise<SkillBlockState> {
  const entry = findEntry(admin.skills.snapshot, name);
  // An emergency does not wait for a server that does not answer.
  const content = await describeContent(entry).catch(() => undefined);
  const before = getBlock(entry.name, admin.contents().skills);
  const block = {
    ...given,
    by: before?.by ?? by.name,
    at: before?.at ?? new Date().toISOString(),
    checksum: before?.checksum ?? content?.checksum,
  };
  await writeBlock(admin, entry.name, block);
  await admin.audit.record({
    by,
    action: before ? 'block-changed' : 'blocked',
    kind: 'skill',
    target: entry.name,
    before: before && { reason: before.reason, tellUsers: before.tellUsers },
    after: given,
  });
  return getBlockState(admin, entry.name);
}

/** Ends a block. Throws `not-found` if there is none. */
export async function unblockSkill(
  admin: BlockAdmin,
  { name: given, by }: { name: string; by: By },
): Promise<SkillBlockState> {
  const name = resolveName(admin, given);
  const before = getBlock(name, admin.contents().skills);
  if (!before) {
    throw problem('not-found', `Skill "${given}" is not blocked.`);
  }
  await writeBlock(admin, name, undefined);
  const { reason, tellUsers } = before;
  await admin.audit.record({
    by,
    action: 'unblocked',
    kind: 'skill',
    target: name,
    before: { reason, tellUsers },
  });
  return getBlockState(admin, name);
}

/** The id of a skill or of a block, which may be given in another spelling. */
function resolveName(admin: SkillAdmin, name: string): string {
  const config = admin.contents().skills;
  const ids = [name, slug(name)];
  return ids.find((id) => getBlock(id, config) || hasSkill(admin, id)) ?? name;
}

function hasSkill({ skills }: SkillAdmin, id: string): boolean {
  return entriesNamed(skills.snapshot, id).length > 0;
}

/** The block of a skill as administrators see it. */
export function getAdminBlock(name: string, config: SkillsConfig): AdminSkillBlock | undefined {
  const block = getBlock(name, config);
  return block && { reason: block.reason, tellUsers: block.tellUsers, by: block.by, at: block.at };
}

/** Throws `skill-blocked` for files that are the same as those of a blocked skill, under any name. */
export async function rejectBlockedFiles(
  { contents }: Pick<SkillAdmin, 'contents'>,
  files: Parameters<typeof getFilesChecksum>[0],
): Promise<void> {
  const config = contents().skills;
  const blocked = findBlockedContent(await getFilesChecksum(files), config);
  if (blocked !== undefined) {
    throw blockedProblem(blocked, config);
  }
}

/** Throws `skill-blocked` for a blocked skill. */
export function rejectBlocked({ contents }: Pick<SkillAdmin, 'contents'>, name: string): void {
  const config = contents().skills;
  if (getBlock(name, config)) {
    throw blockedProblem(name, config);
  }
}

/** The problem of files or a skill that are blocked. */
export function blockedProblem(name: string, config: SkillsConfig): Problem {
  const reason = getBlock(name, config)?.reason ?? '';
  return problem(
    'skill-blocked',
    `Skill "${name}" is blocked: ${reason} Change its files, or unblock it on its page first.`,
  );
}

async function writeBlock(
  { contentWriter }: SkillAdmin,
  name: string,
  block: NonNullable<SkillsConfig['blocked']>[string] | undefined,
): Promise<void> {
  await contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => {
      const known = isRecord(raw.blocked) ? raw.blocked : {};
      const others = Object.entries(known).filter(([id]) => id !== name);
      return { ...raw, blocked: Object.fromEntries(block ? [...others, [name, block]] : others) };
    }),
  );
}
