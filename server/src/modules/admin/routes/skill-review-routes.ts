import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import type { Router } from 'express';
import type { Caller } from '../../../platform/http/caller.ts';
import { route } from '../../../platform/http/route.ts';
import type { BlockAdmin } from '../skills/block-skill.ts';
import { addComment, listComments, removeComment } from '../skills/review-comments.ts';
import {
  approveReview,
  describeReview,
  listReviews,
  type Reviewer,
  returnReview,
  withdrawReview,
} from '../skills/skill-reviews.ts';
import { isPublisher } from './get-skill-write.ts';

/** Routes for reviews of submitted drafts. */
export function skillReviewRoutes(router: Router, admin: BlockAdmin): void {
  route(router, skillReviewsApi.list, ({ query }) => listReviews(admin, query));

  route(router, skillReviewsApi.get, ({ params, caller }) =>
    describeReview(admin, { ...params, ...getReviewer(caller) }),
  );

  route(router, skillReviewsApi.approve, ({ params, body, caller }) =>
    approveReview(admin, {
      ...params,
      comment: body.comment,
      override: body.override,
      ...getReviewer(caller),
    }),
  );

  route(router, skillReviewsApi.return, ({ params, body, caller }) =>
    returnReview(admin, { ...params, comment: body.comment, ...getReviewer(caller) }),
  );

  route(router, skillReviewsApi.withdraw, ({ params, body, caller }) =>
    withdrawReview(admin, { ...params, comment: body.comment, ...getReviewer(caller) }),
  );

  route(router, skillReviewsApi.comments, ({ params, caller }) =>
    listComments(admin, { ...params, by: getReviewer(caller).by }),
  );

  route(router, skillReviewsApi.comment, ({ params, body, caller, response }) => {
    response.status(201);
    return addComment(admin, { ...params, ...body, by: getReviewer(caller).by });
  });

  route(router, skillReviewsApi.removeComment, ({ params, caller }) =>
    removeComment(admin, { ...params, by: getReviewer(caller).by }),
  );
}

function getReviewer(caller: Caller): Reviewer {
  return { by: { id: caller.id, name: caller.name }, isPublisher: isPublisher(caller) };
}
