import { problem } from '@knowhow/shared/problem';
import { type SkillSummary, skillsApi } from '@knowhow/shared/skills';
import type { Router } from 'express';
import type { Caller } from '../../access/caller.ts';
import { findApp, visibleApps } from '../../chat/find-app.ts';
import type { Contents } from '../../content/contents.ts';
import type { SkillStore } from '../../skills/skill-store.ts';
import { createSkillView, type SkillView, type VisibleSkill } from '../../skills/skill-view.ts';
import { pageOf } from '../page-of.ts';
import { route } from '../route.ts';
import { sendFile } from '../send-file.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
}

export function skillRoutes(router: Router, { contents, skills }: Dependencies): void {
  const viewFor = (caller: Caller, appId: string | undefined) =>
    createSkillView({
      store: skills,
      config: contents().skills,
      grant: caller.permissions.skills,
      apps:
        appId === undefined
          ? visibleApps(caller, contents())
          : [findApp(appId, caller, contents())],
    });

  route(router, skillsApi.list, ({ caller, query }) => {
    const page = pageOf(viewFor(caller, query.app).skills, query);
    return { ...page, items: page.items.map(summaryOf) };
  });

  route(router, skillsApi.get, async ({ caller, params, query }) => {
    const { view, skill } = find(viewFor(caller, query.app), params.name);
    return {
      ...summaryOf(skill),
      license: skill.license,
      compatibility: skill.compatibility,
      metadata: skill.metadata,
      files: await view.listFiles(skill),
    };
  });

  route(router, skillsApi.content, async ({ caller, params, query }) => {
    const { view, skill } = find(viewFor(caller, query.app), params.name);
    const [body, files] = await Promise.all([view.readBody(skill), view.listFiles(skill)]);
    const { id: name, description, checksum } = skill;
    return { name, description, body, checksum, files };
  });

  route(router, skillsApi.file, async ({ caller, params, query, response }) => {
    const { view, skill } = find(viewFor(caller, query.app), params.name);
    const file = await view.openFile(skill, params.path);
    if (!file) {
      throw problem('not-found', `Skill "${skill.id}" has no file '${params.path}'.`);
    }
    await sendFile(response, params.path, file);
  });
}

function find(view: SkillView, name: string): { view: SkillView; skill: VisibleSkill } {
  const skill = view.find(name);
  if (!skill) {
    throw problem('not-found', `Skill "${name}" is not available.`);
  }
  return { view, skill };
}

function summaryOf(skill: VisibleSkill): SkillSummary {
  return {
    name: skill.id,
    displayName: skill.displayName,
    description: skill.description,
    argumentHint: skill.argumentHint,
    userInvocable: skill.userInvocable,
    category: skill.category,
    tags: [...skill.tags],
  };
}
