import { mySkillsApi } from '@knowhow/shared/skills/personal-skills';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import { getSkillView, type SkillDependencies } from './skill-routes.ts';

/** Skills that other users share with the caller. */
export function receivedSkillRoutes(router: Router, dependencies: SkillDependencies): void {
  route(router, mySkillsApi.received, ({ caller }) => ({
    items: getSkillView(dependencies, caller, undefined).skills.flatMap(
      ({ id, displayName, description, translations, sharedBy }) =>
        sharedBy === undefined ? [] : [{ id, displayName, description, translations, sharedBy }],
    ),
  }));
}
