import { problem } from '@knowhow/shared/problem';
import { type FavouriteKind, favouritesApi } from '@knowhow/shared/skills/favourites';
import type { Router } from 'express';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { type CatalogueDependencies, listPrompts } from '../../content/routes/catalogue-routes.ts';
import { recentSkills } from '../../conversations/index.ts';
import type { SkillView } from '../../skills/index.ts';
import {
  getSkillView,
  type SkillDependencies,
  toSkillSummary,
} from '../../skills/routes/skill-routes.ts';
import { getFavourites, setFavourite } from '../favourites.ts';

/** Maximum number of recent skills shown. */
const maxRecent = 5;

/** Routes for favourites and recently used skills. Lists only what the caller can see now. */
export function favouriteRoutes(
  router: Router,
  dependencies: { database: Database } & CatalogueDependencies & SkillDependencies,
): void {
  const { database } = dependencies;

  route(router, favouritesApi.list, async ({ caller, query }) => {
    const view = getSkillView(dependencies, caller, query.app);
    const [favourites, recent] = await Promise.all([
      caller.anonymous ? [] : getFavourites(database, caller.id),
      recentSkills(database, caller.id),
    ]);
    const idsOf = (wanted: FavouriteKind) =>
      favourites.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const prompts = new Set((await listPrompts(dependencies, caller)).map(({ id }) => id));
    return {
      canKeep: !caller.anonymous,
      skills: visibleSummaries(view, idsOf('skill')),
      prompts: idsOf('prompt').filter((id) => prompts.has(id)),
      recent: visibleSummaries(view, recent).slice(0, maxRecent),
    };
  });

  route(router, favouritesApi.set, async ({ caller, body }) => {
    rejectGuest(caller, 'A guest has no favourites.');
    if (body.isFavourite) {
      const exists =
        body.kind === 'skill'
          ? getSkillView(dependencies, caller, undefined).skills.some(({ id }) => id === body.id)
          : (await listPrompts(dependencies, caller)).some(({ id }) => id === body.id);
      if (!exists) {
        const name = body.kind === 'skill' ? 'Skill' : 'Prompt';
        throw problem('not-found', `${name} "${body.id}" is not available.`);
      }
    }
    await setFavourite(database, caller.id, body);
  });
}

/** Summaries of those that the caller may activate. */
function visibleSummaries(view: SkillView, names: readonly string[]) {
  return names.flatMap((name) => {
    const skill = view.find(name);
    return skill?.userInvocable ? toSkillSummary(view, skill) : [];
  });
}
