import { once } from 'node:events';
import { problem } from '@knowhow/shared/problem';
import { type SkillSummary, skillsApi } from '@knowhow/shared/skills';
import type { Response, Router } from 'express';
import type { Caller } from '../../access/caller.ts';
import { findApp, visibleApps } from '../../chat/find-app.ts';
import type { Contents } from '../../content/contents.ts';
import { mediaTypeOf } from '../../skills/media-type.ts';
import type { OpenSkillFile } from '../../skills/skill-files.ts';
import type { SkillStore } from '../../skills/skill-store.ts';
import { createSkillView, type SkillView, type VisibleSkill } from '../../skills/skill-view.ts';
import { pageOf } from '../page-of.ts';
import { route } from '../route.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
}

const headBytes = 4096;

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

/** Text as plain text, pictures as such, anything else to be saved: never anything that runs. */
async function sendFile(response: Response, path: string, file: OpenSkillFile): Promise<void> {
  const { kind, type } = mediaTypeOf(path, await file.read(0, Math.min(file.size, headBytes)));
  response.set({
    'Content-Type': type,
    'Content-Length': String(file.size),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (kind === 'binary') {
    response.attachment(path.split('/').at(-1));
    response.set('Content-Type', type);
  }
  const stream = file.stream();
  stream.pipe(response);
  await once(response, 'close');
}
