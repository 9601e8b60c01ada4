import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { ListedModel, ModelList } from '../../../chat/index.ts';

type Settings = Pick<SkillsConfig['settings'], 'triggerTests' | 'publishing'>;

/** The models of the schedule that can be used now. */
export function usableModels(
  { triggerTests }: Pick<Settings, 'triggerTests'>,
  models: Pick<ModelList, 'all'>,
): ListedModel[] {
  const wanted = new Set(triggerTests.models);
  return models.all().filter(({ config, needs }) => wanted.has(config.id) && needs === undefined);
}

/** Why trigger tests cannot run as configured: scheduled ones, and those before publication. Paths are those in the settings. */
export function findScheduleIssues(
  settings: Settings,
  models: Pick<ModelList, 'all'>,
): { path: string; message: string }[] {
  const { enabled, models: wanted } = settings.triggerTests;
  const path = 'triggerTests.models';
  const { publishing } = settings;
  const ofCheck = findUnusable(publishing.triggerTests.models, models, {
    path: 'publishing.triggerTests.models',
    effect: 'no draft can be tested with it',
  });
  if (!enabled) {
    return ofCheck;
  }
  if (wanted.length === 0) {
    const message = 'Scheduled trigger tests have no model. Name at least one, or switch them off.';
    return [{ path, message }, ...ofCheck];
  }
  const effect = 'scheduled trigger tests leave it out';
  return [...findUnusable(wanted, models, { path, effect }), ...ofCheck];
}

function findUnusable(
  wanted: readonly string[],
  models: Pick<ModelList, 'all'>,
  { path, effect }: { path: string; effect: string },
): { path: string; message: string }[] {
  const known = new Map(models.all().map((model) => [model.config.id, model]));
  return wanted.flatMap((id) => {
    const model = known.get(id);
    if (model && model.needs === undefined) {
      return [];
    }
    const why = model ? `needs ${model.needs}` : 'does not exist, or is switched off';
    const message = `The model "${id}" ${why}: ${effect}. Choose another one, or set it up.`;
    return [{ path, message }];
  });
}
