import type { Activation, EndReason } from '@knowhow/shared/chat/chat';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { getBlock, type SkillView } from '../skills/index.ts';

/** Reason why an active skill must end now; undefined if it stays active. */
export function getEndReason(
  { name, via }: Activation,
  { view, app }: { view: SkillView; app: AppConfig },
): EndReason | undefined {
  if (!view.find(name)) {
    return view.whyMissing(name) ?? 'not-available';
  }
  return via === 'app' && !isUsedBy(app, name) ? 'app' : undefined;
}

/** The reason of a block, for users; undefined unless the administrator lets them read it. */
export function getBlockNote(
  name: string,
  reason: string,
  config: Pick<SkillsConfig, 'blocked'>,
): string | undefined {
  const block = reason === 'blocked' ? getBlock(name, config) : undefined;
  return block?.tellUsers ? block.reason : undefined;
}

/** Whether the app itself activates the skill in conversations. */
function isUsedBy({ skillSettings }: AppConfig, name: string): boolean {
  const { autoActivate, autoInject } = skillSettings;
  return autoActivate || autoInject?.includes(name) === true;
}

/**
 * IDs of the skills that an app activates in every conversation, in catalogue order. Limited to skills that a model
 * may pick, and to `most`.
 */
export function alwaysUsed(view: SkillView, { skillSettings }: AppConfig, most: number): string[] {
  const wanted = new Set(skillSettings.autoInject);
  return wanted.size === 0
    ? []
    : view.skills
        .filter(({ id, modelInvocable }) => modelInvocable && wanted.has(id))
        .slice(0, most)
        .map(({ id }) => id);
}
