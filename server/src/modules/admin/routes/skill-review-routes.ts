import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import type { Router } from 'express';
import type { Caller } from '../../../platform/http/caller.ts';
import { route } from '../../../platform/http/route.ts';
import type { BlockAdmin } from '../skills/block-skill.ts';
import { addComment, listComments, removeComment } from '../skills/review-comments.ts';
import {
  approveReview,
  describeReview,
  findReview,
  listReviews,
  returnReview,
  withdrawReview,
} from '../skills/skill-reviews.ts';

/** Routes for reviews of submitted drafts. */
export function skillReviewRoutes(router: Router, admin: BlockAdmin): void {
  route(router, skillReviewsApi.list, ({ query, caller }) => listReviews(admin, caller, query));

  route(router, skillReviewsApi.get, ({ params, caller }) =>
    describeReview(admin, { ...params, caller }),
  );

  route(router, skillReviewsApi.approve, ({ params, body, caller }) =>
    approveReview(admin, { ...params, comment: body.comment, override: body.override, caller }),
  );

  route(router, skillReviewsApi.return, ({ params, body, caller }) =>
    returnReview(admin, { ...params, comment: body.comment, caller }),
  );

  route(router, skillReviewsApi.withdraw, ({ params, body, caller }) =>
    withdrawReview(admin, { ...params, comment: body.comment, caller }),
  );

  /** A review that the caller may see, and the caller. */
  const find = async (caller: Caller, id: string) => {
    await findReview(admin, caller, id);
    return { id, by: { id: caller.id, name: caller.name } };
  };

  route(router, skillReviewsApi.comments, async ({ params, caller }) =>
    listComments(admin, await find(caller, params.id)),
  );

  route(router, skillReviewsApi.comment, async ({ params, body, caller, response }) => {
    const found = await find(caller, params.id);
    response.status(201);
    return addComment(admin, { ...body, ...found });
  });

  route(router, skillReviewsApi.removeComment, async ({ params, caller }) =>
    removeComment(admin, { ...params, ...(await find(caller, params.id)) }),
  );
}
