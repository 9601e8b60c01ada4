import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { ListedModel, ModelList } from '../../../chat/index.ts';

type Settings = Pick<SkillsConfig['settings'], 'triggerTests'>;

/** The models of the schedule that can be used now. */
export function usableModels(
  { triggerTests }: Settings,
  models: Pick<ModelList, 'all'>,
): ListedModel[] {
  const wanted = new Set(triggerTests.models);
  return models.all().filter(({ config, needs }) => wanted.has(config.id) && needs === undefined);
}

/** Why scheduled trigger tests cannot run as configured. Paths are those in the settings. */
export function findScheduleIssues(
  settings: Settings,
  models: Pick<ModelList, 'all'>,
): { path: string; message: string }[] {
  const { enabled, models: wanted } = settings.triggerTests;
  const path = 'triggerTests.models';
  if (!enabled) {
    return [];
  }
  if (wanted.length === 0) {
    const message = 'Scheduled trigger tests have no model. Name at least one, or switch them off.';
    return [{ path, message }];
  }
  const known = new Map(models.all().map((model) => [model.config.id, model]));
  return wanted.flatMap((id) => {
    const model = known.get(id);
    if (model && model.needs === undefined) {
      return [];
    }
    const why = model ? `needs ${model.needs}` : 'does not exist, or is switched off';
    const message = `The model "${id}" ${why}: scheduled trigger tests leave it out. Choose another one, or set it up.`;
    return [{ path, message }];
  });
}
