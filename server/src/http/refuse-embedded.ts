import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';

const byHand: ReadonlySet<string | undefined> = new Set(['empty', 'document']);
const fromUs: ReadonlySet<string | undefined> = new Set(['same-origin', 'none']);

/**
 * Refuses what a browser loads because a page names it, such as a picture in an answer: a link that is
 * followed, `fetch` from a page of ours, and programs, which say nothing of the kind, get on. What a
 * browser sends is in https://www.w3.org/TR/fetch-metadata/.
 */
export const refuseEmbedded: RequestHandler = (request, _response, next) => {
  const use = request.get('Sec-Fetch-Dest') ?? 'empty';
  const site = request.get('Sec-Fetch-Site') ?? 'none';
  if (!byHand.has(use) || !fromUs.has(site)) {
    throw problem(
      'foreign-origin',
      'A page may not load this by itself. Follow a link to it from a page of this server.',
    );
  }
  next();
};
