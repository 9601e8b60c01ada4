import type { Trial } from '@knowhow/shared/config/admin';
import { localize } from '@knowhow/shared/config/localized';
import { countTokens } from '@knowhow/shared/count-tokens';
import {
  allocateWindow,
  alwaysUsed,
  findApp,
  type ModelList,
  maxActiveSkills,
  presentSkills,
  renderSystemPrompt,
} from '../chat/index.ts';
import type { Contents } from '../content/index.ts';
import { type Caller, computePermissions, grants, withMemberGroups } from '../identity/index.ts';
import {
  createSkillView,
  rankForConversation,
  type SkillRanking,
  type SkillStore,
} from '../skills/index.ts';

interface TrialDependencies {
  contents: () => Contents;
  skills: SkillStore;
  models: ModelList;
  ranking: SkillRanking;
}

interface TrialRequest {
  /** The administrator. */
  by: Caller;
  /** The user or group member to try as. */
  caller: Caller;
  app: string;
  language: string;
}

/** A hypothetical member of these groups, and of those of every account. */
export function memberOf(chosen: string[], contents: Contents): Caller {
  const groups = withMemberGroups(chosen, contents);
  const permissions = computePermissions(groups, contents.groups);
  return { id: 'trial', name: '', groups, anonymous: false, permissions, mayUse: true };
}

/**
 * Previews what a model would get in a new conversation, built in the same way as for a turn. The
 * app's prompt is omitted if the administrator may neither open nor edit the app. Throws
 * `not-found` if the tried caller may not open the app.
 */
export async function tryAs(
  { by, caller, app: appId, language }: TrialRequest,
  { contents, skills, models, ranking }: TrialDependencies,
): Promise<Trial> {
  const state = contents();
  const app = findApp(appId, caller, state);
  const view = createSkillView({
    store: skills,
    ranking,
    config: state.skills,
    grant: caller.permissions.skills,
    groups: caller.groups,
    apps: [app],
  });
  const [model] = models.usable(caller.permissions, app);
  const usesTools = !model || models.takesTools(model);
  const { catalogue, tools } = presentSkills({
    view,
    app,
    config: state.skills,
    usesTools,
    room: model ? allocateWindow(model.config, app).request : Number.POSITIVE_INFINITY,
    ranked: () => rankForConversation(view, app, { message: '', skills: [] }),
  });
  const mayReadApp =
    grants(by.permissions.apps, app.id) || grants(by.permissions.adminAccess, 'apps');
  const system = renderSystemPrompt({
    app: mayReadApp ? localize(app.system, language) : '',
    catalogue: catalogue.text,
    usesTools,
    hasSkills: view.skills.length > 0,
  });
  const listed = new Set(catalogue.shown);
  const used = new Set(alwaysUsed(view, app, maxActiveSkills(app, state.skills)));
  return {
    groups: caller.groups,
    ...(model ? { model: model.config.id } : {}),
    skills: view.skills.map((skill) => ({
      name: skill.id,
      description: skill.description,
      priority: skill.priority,
      inCatalogue: listed.has(skill.id),
      isAlwaysUsed: used.has(skill.id),
    })),
    catalogue: catalogue.text,
    system,
    ...(mayReadApp ? {} : { withoutAppText: true }),
    tools: tools.map(({ name, description }) => ({ name, description })),
    tokens: { catalogue: countTokens(catalogue.text), system: countTokens(system) },
    trimmed: catalogue.trimmed,
  };
}
