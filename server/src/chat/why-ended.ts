import type { Activation, EndReason } from '@knowhow/shared/chat/chat';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillView } from '../skills/skill-view.ts';

/** Why an active skill is to end as things are now; undefined while it goes on. */
export function whyEnded(
  { name, via }: Activation,
  { view, app }: { view: SkillView; app: AppConfig },
): EndReason | undefined {
  if (!view.find(name)) {
    return view.lacksOffer(name) ? 'app' : 'not-available';
  }
  return via === 'app' && !isUsedBy(app, name) ? 'app' : undefined;
}

/** Whether the app itself puts a skill into conversations. */
function isUsedBy({ skillSettings = {} }: AppConfig, name: string): boolean {
  const { autoActivate, autoInject } = skillSettings;
  return autoActivate === true || autoInject?.includes(name) === true;
}

/**
 * Ids of the skills that are active in every conversation of an app, in the order of its catalogue: those that
 * a model may pick, as many as may be active.
 */
export function alwaysUsed(view: SkillView, { skillSettings }: AppConfig, most: number): string[] {
  const wanted = new Set(skillSettings?.autoInject);
  return wanted.size === 0
    ? []
    : view.skills
        .filter(({ id, modelInvocable }) => modelInvocable && wanted.has(id))
        .slice(0, most)
        .map(({ id }) => id);
}
