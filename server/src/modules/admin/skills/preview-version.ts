import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import type { CheckOverride } from '@knowhow/shared/skills/publication-checks';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { checkVersion, type Publisher } from './check-publication.ts';
import { findPublished, readPublishedManifest } from './published-skill.ts';
import { auditPolicy, getPublishingPolicy, rejectWithoutRight } from './publishing-policy.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { noVersion } from './skill-entries.ts';
import { checkKnown } from './update-skill.ts';

type By = Change['by'];
type Previewed = { skill: string; number: number; by: By };
type Preview = NonNullable<SkillsConfig['previews']>[string];

/**
 * Gives members of groups a version instead of the published one; an empty list ends its preview.
 * Another preview of the skill is replaced. Throws `not-found` for an unknown version,
 * `invalid-request` for unknown groups, `review-required` without the right to publish, and
 * `check-failed` without a reason if a required check fails.
 */
export async function previewVersion(
  admin: SkillAdmin,
  { skill, number, by, ...publisher }: Previewed & Publisher,
  groups: readonly string[],
): Promise<{ preview?: Pick<Preview, 'version' | 'groups'> }> {
  const version = await admin.versions.get(skill, number);
  const policy = getPublishingPolicy(admin, skill, version?.category);
  rejectWithoutRight(policy, publisher.isPublisher, skill);
  if (groups.length === 0) {
    await endPreview(admin, { skill, number, by });
    return {};
  }
  checkKnown({ groups: [...groups] }, admin.contents());
  if (!version) {
    throw noVersion(skill, number);
  }
  if (version.checksum === undefined) {
    throw problem(
      'conflict',
      `Version ${number} of skill "${skill}" is a deletion. Choose another.`,
    );
  }
  const override = await checkVersion(
    admin,
    {
      skill,
      manifest: (await admin.versions.manifest(skill, number)) ?? [],
      checksum: version.checksum,
      published: async () => readPublishedManifest(admin, await findPublished(admin, skill)),
    },
    { ...publisher, override: 'preview it with "override": {"reason": "…"}' },
  );
  const preview = {
    version: number,
    groups: [...new Set(groups)],
    by: by.name,
    at: new Date().toISOString(),
  };
  const before = findPreview(admin, skill);
  await writePreview(admin, skill, preview);
  const after = { ...preview, ...auditPolicy(policy) };
  await recordChange(admin, { skill, by, action: 'previewed', before, after, override });
  return { preview };
}

/** Ends the preview of this version, if there is one. */
export async function endPreview(
  admin: SkillAdmin,
  { skill, number, by }: Previewed,
): Promise<void> {
  const before = findPreview(admin, skill);
  if (before?.version === number) {
    await writePreview(admin, skill, undefined);
    await recordChange(admin, { skill, by, action: 'preview-ended', before });
  }
}

function findPreview({ contents }: SkillAdmin, skill: string): Preview | undefined {
  const { previews = {} } = contents().skills;
  return Object.hasOwn(previews, skill) ? previews[skill] : undefined;
}

async function writePreview(
  { contentWriter }: SkillAdmin,
  skill: string,
  preview: Preview | undefined,
): Promise<void> {
  await contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => {
      const known = isRecord(raw.previews) ? raw.previews : {};
      const others = Object.entries(known).filter(([id]) => id !== skill);
      const entries = preview ? [...others, [skill, preview]] : others;
      return { ...raw, previews: Object.fromEntries(entries) };
    }),
  );
}

interface Recorded {
  skill: string;
  by: By;
  action: string;
  before: Preview | undefined;
  after?: Preview & { policyOf?: string[] };
  override?: CheckOverride | undefined;
}

async function recordChange(
  { audit }: SkillAdmin,
  { skill, by, action, before, after, override }: Recorded,
): Promise<void> {
  const toValue = (preview: Preview | undefined) =>
    preview && { version: preview.version, groups: preview.groups };
  await audit.record({
    by,
    action,
    kind: 'skill',
    target: skill,
    before: toValue(before),
    after: after && { ...toValue(after), override, policyOf: after.policyOf },
  });
}
