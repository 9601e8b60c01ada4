import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import { slug } from '@knowhow/shared/skills/skill-name';
import {
  createMessage,
  findMain,
  isEvalsFile,
  locateManifest,
  type ManifestFile,
  parseSkill,
  type SkillLocation,
  type StoredSkill,
} from '../../skills/index.ts';
import { chosenPrompts, readTriggerPrompts } from '../triggers/trigger-prompts.ts';
import type { SkillAdmin } from './skill-admin.ts';

type Finding = CheckResult['findings'][number];

interface Changed {
  /** The name of the skill. */
  skill: string;
  manifest: readonly ManifestFile[];
  checksum: string;
}

/** The files of one side, and its `SKILL.md`. */
interface OpenedSide {
  location: SkillLocation;
  skill: Pick<StoredSkill, 'modelInvocable'>;
}

/**
 * Whether the trigger tests of a draft are worse than those of the published version, or gone. Models choose a skill by
 * its `SKILL.md`, so a draft with the same one needs no test, nor does a skill that is new, has no prompts, or that only
 * users activate.
 *
 * @param changed the opened files of the draft
 */
export async function findWorseTriggers(
  admin: SkillAdmin,
  { skill, manifest, checksum }: Changed,
  changed: OpenedSide,
  published: readonly ManifestFile[],
): Promise<Finding[]> {
  const main = findMain(published)?.digest;
  if (main === undefined || ![...published, ...manifest].some(({ path }) => isEvalsFile(path))) {
    return [];
  }
  const before = await openPublished(admin, skill, published);
  if (!before?.skill.modelInvocable && !changed.skill.modelInvocable) {
    return [];
  }
  if (!(await hasPrompts(admin, changed))) {
    const isRemoval = before !== undefined && (await hasPrompts(admin, before));
    return isRemoval ? [say('triggers-removed')] : [];
  }
  return findMain(manifest)?.digest === main
    ? []
    : findWorseResults(admin, { skill, checksum, main });
}

/** Undefined if its files are not completely stored. */
async function openPublished(
  { versions }: SkillAdmin,
  name: string,
  manifest: readonly ManifestFile[],
): Promise<OpenedSide | undefined> {
  const location = await locateManifest(versions, name, manifest);
  const main = findMain(manifest);
  const bytes = main && (await versions.content(main));
  return location && bytes ? { location, skill: parseSkill(bytes, slug(name)).skill } : undefined;
}

async function hasPrompts({ skills }: SkillAdmin, { location }: OpenedSide): Promise<boolean> {
  return chosenPrompts(await readTriggerPrompts(skills, location)).length > 0;
}

async function findWorseResults(
  { draftTests, contents }: SkillAdmin,
  { skill, checksum, main }: Pick<Changed, 'skill' | 'checksum'> & { main: string },
): Promise<Finding[]> {
  const run = await draftTests.find({ skill, checksum, main });
  if (!run) {
    const isTested = (await draftTests.findNewest(skill)) !== undefined;
    return [say(isTested ? 'triggers-changed' : 'triggers-untested')];
  }
  if (run.ended === 'stopped') {
    return [say('triggers-stopped')];
  }
  const { models, maxLoss } = contents().skills.settings.publishing.triggerTests;
  const wanted = models.length > 0 ? models : run.models.map(({ model }) => model);
  return wanted.flatMap((model) => {
    const found = run.models.find((each) => each.model === model);
    if (!found) {
      return [say('triggers-model', { model })];
    }
    if (found.compared < Math.ceil(minCompared * run.total) || found.compared === 0) {
      return [say('triggers-failed', { model })];
    }
    if (found.published === undefined) {
      return [];
    }
    const share = (right: number) => Math.round((100 * right) / found.compared);
    const [before, now] = [share(found.published), share(found.draft)];
    return before - now > maxLoss
      ? [say('triggers-worse', { model, before, now, most: maxLoss })]
      : [];
  });
}

/** Share of the prompts that must be answered: those without an answer are not compared. */
const minCompared = 0.9;

function say(
  text: Parameters<typeof createMessage>[0],
  values?: Parameters<typeof createMessage>[1],
): Finding {
  return { code: text, ...createMessage(text, values) };
}
