import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import {
  type AttentionAdmin,
  findAttention,
  type SkillAdmin,
  setReviewDate,
} from '../../admin/index.ts';
import { ownerTest } from '../inbox/to-reader.ts';
import { getSkillView, type SkillDependencies, unavailableSkill } from './skill-routes.ts';

type Dependencies = SkillAdmin & AttentionAdmin & Pick<SkillDependencies, 'ranking'>;

/** Skills that need attention, for their owners and administrators, and the dates of their reviews. */
export function attentionRoutes(router: Router, dependencies: Dependencies): void {
  route(router, skillAttentionApi.list, async ({ caller, query }) => {
    rejectGuest(caller, 'A guest owns no skills.');
    const receives = ownerTest(dependencies, caller);
    const { items, counts } = await findAttention(dependencies, receives, query.reason);
    const page = paginate(items, query);
    const view = getSkillView(dependencies, caller, undefined);
    return {
      ...page,
      items: page.items.map((item) => ({
        ...item,
        displayName: withoutHiddenCharacters(item.displayName),
        isInLibrary: view.find(item.name)?.id === item.name,
      })),
      counts,
    };
  });

  route(router, skillAttentionApi.review, async ({ caller, params, body }) => {
    rejectGuest(caller, 'A guest owns no skills.');
    const owner = await dependencies.owners.find(params.name);
    if (!ownerTest(dependencies, caller)(owner)) {
      throw unavailableSkill(params.name);
    }
    return setReviewDate(dependencies, { name: params.name, by: caller }, body.reviewBy);
  });
}
