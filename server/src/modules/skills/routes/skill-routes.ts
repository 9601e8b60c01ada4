import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import { fieldsFor } from '@knowhow/shared/skills/skill-fields';
import { type SkillDetail, type SkillSummary, skillsApi } from '@knowhow/shared/skills/skills';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { findApp, visibleApps } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import { type Caller, getSkillOwner } from '../../identity/index.ts';
import { findReplacement, withDeprecatedLast } from '../deprecated-skills.ts';
import { searchSkills } from '../search-skills.ts';
import type { SkillRanking } from '../skill-ranking.ts';
import { createSkillView, type SkillView } from '../skill-view.ts';
import type { SkillStore } from '../store/skill-store.ts';
import type { VisibleSkill } from '../visible-skill.ts';

export interface SkillDependencies {
  contents: () => Contents;
  skills: SkillStore;
  ranking: SkillRanking;
}

export function skillRoutes(router: Router, dependencies: SkillDependencies): void {
  route(router, skillsApi.list, ({ caller, query }) => {
    const view = getSkillView(dependencies, caller, query.app);
    if (!query.query?.trim()) {
      const page = paginate(
        withDeprecatedLast(view.skills, (skill) => skill),
        query,
      );
      return { ...page, items: page.items.map((skill) => toSkillSummary(view, skill)) };
    }
    const page = paginate(searchSkills(view, query.query), query);
    return {
      ...page,
      items: page.items.map(({ skill, score }) => ({
        ...toSkillSummary(view, skill),
        score,
      })),
    };
  });

  route(router, skillsApi.get, ({ caller, params, query }) => {
    const found = findSkill(getSkillView(dependencies, caller, query.app), params.name);
    return describeVisibleSkill(dependencies, caller, { ...found, appId: query.app });
  });

  route(router, skillsApi.content, async ({ caller, params, query }) => {
    const { view, skill } = findSkill(getSkillView(dependencies, caller, query.app), params.name);
    const [body, files] = await Promise.all([view.readBody(skill), view.listFiles(skill)]);
    const { id: name, description, checksum } = skill;
    return { name, description, body, checksum, files };
  });

  route(router, skillsApi.file, async ({ caller, params, query, response }) => {
    const { view, skill } = findSkill(getSkillView(dependencies, caller, query.app), params.name);
    const file = await view.openFile(skill, params.path);
    if (!file) {
      throw problem('not-found', `Skill "${skill.id}" has no file '${params.path}'.`);
    }
    await sendFile(response, params.path, file);
  });
}

/**
 * The skills that a caller sees in one app, or in all of theirs. Throws `not-found` for an app that they
 * cannot use.
 */
export function getSkillView(
  dependencies: SkillDependencies,
  caller: Caller,
  appId: string | undefined,
): SkillView {
  return createView(
    dependencies,
    caller,
    appsFor(dependencies, caller, appId),
    getSkillOwner(caller),
  );
}

/** The skills of the organisation that a caller may use, to be published: without personal ones. */
export function getPublishedView(dependencies: SkillDependencies, caller: Caller): SkillView {
  return createView(dependencies, caller, appsFor(dependencies, caller, undefined), undefined);
}

function createView(
  { contents, skills, ranking }: SkillDependencies,
  caller: Caller,
  apps: readonly AppConfig[],
  owner: string | undefined,
): SkillView {
  return createSkillView({
    store: skills,
    ranking,
    config: contents().skills,
    grant: caller.permissions.skills,
    groups: caller.groups,
    owner,
    apps,
  });
}

function appsFor({ contents }: SkillDependencies, caller: Caller, appId: string | undefined) {
  return appId === undefined
    ? visibleApps(caller, contents())
    : [findApp(appId, caller, contents())];
}

/** @param found.appId the only app to name, or all of the caller's */
export async function describeVisibleSkill(
  dependencies: SkillDependencies,
  caller: Caller,
  found: { view: SkillView; skill: VisibleSkill; appId?: string | undefined },
): Promise<SkillDetail> {
  const { view, skill, appId } = found;
  return {
    ...toSkillSummary(view, skill),
    ...fieldsFor(skill, 'member', 'detail'),
    metadata: skill.metadata,
    apps: appsFor(dependencies, caller, appId)
      .filter((app) =>
        createView(dependencies, caller, [app], getSkillOwner(caller)).find(skill.id),
      )
      .map(({ id }) => id),
    files: await view.listFiles(skill),
  };
}

/** Throws `not-found` for a skill outside of the view. */
export function findSkill(view: SkillView, name: string): { view: SkillView; skill: VisibleSkill } {
  const skill = view.find(name);
  if (!skill) {
    throw unavailableSkill(name);
  }
  return { view, skill };
}

/** The problem for every skill that the caller does not see, whether it exists or not. */
export function unavailableSkill(name: string) {
  return problem('not-found', `Skill "${name}" is not available.`);
}

export function toSkillSummary(view: SkillView, skill: VisibleSkill): SkillSummary {
  return {
    name: skill.id,
    displayName: skill.displayName,
    description: skill.description,
    translations: skill.translations,
    ...fieldsFor(skill, 'member', 'list'),
    userInvocable: skill.userInvocable,
    ...(skill.isPersonal ? { isPersonal: true } : {}),
    ...(skill.sharedBy === undefined ? {} : { sharedBy: skill.sharedBy }),
    ...describeDeprecation(view, skill),
  };
}

/** Names only a successor that the caller sees. */
function describeDeprecation(
  view: SkillView,
  skill: VisibleSkill,
): Pick<SkillSummary, 'deprecated'> {
  if (!skill.deprecated) {
    return {};
  }
  const { note } = skill.deprecated;
  const replacement = findReplacement(view, skill);
  const successor = replacement && {
    name: replacement.id,
    displayName: replacement.displayName,
    translations: replacement.translations,
  };
  return {
    deprecated: {
      ...(note === undefined ? {} : { note }),
      ...(successor ? { successor } : {}),
    },
  };
}
