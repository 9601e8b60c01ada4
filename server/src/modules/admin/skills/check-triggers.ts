import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import { createMessage, findMain, isEvalsFile, type ManifestFile } from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';

type Finding = CheckResult['findings'][number];

interface Changed {
  /** The name of the skill. */
  skill: string;
  manifest: readonly ManifestFile[];
  checksum: string;
}

/**
 * Whether the trigger tests of a draft are worse than those of the published version. Models choose a skill by its
 * `SKILL.md`, so a draft with the same one needs no test, nor does a skill that is new or was published without prompts.
 */
export async function findWorseTriggers(
  { draftTests, contents }: SkillAdmin,
  { skill, manifest, checksum }: Changed,
  published: readonly ManifestFile[],
): Promise<Finding[]> {
  const main = findMain(published)?.digest;
  const hasPrompts = [...published, ...manifest].some(({ path }) => isEvalsFile(path));
  if (main === undefined || findMain(manifest)?.digest === main || !hasPrompts) {
    return [];
  }
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
    if (found.compared === 0) {
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

function say(
  text: Parameters<typeof createMessage>[0],
  values?: Parameters<typeof createMessage>[1],
): Finding {
  return { code: text, ...createMessage(text, values) };
}
