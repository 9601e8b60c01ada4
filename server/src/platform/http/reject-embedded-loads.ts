import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';

const allowedDestinations: ReadonlySet<string | undefined> = new Set(['empty', 'document']);
const allowedSites: ReadonlySet<string | undefined> = new Set(['same-origin', 'none']);

/**
 * Rejects subresource loads, such as an image in an answer, with Fetch Metadata
 * (https://www.w3.org/TR/fetch-metadata/). Allows followed links, `fetch` from our own pages, and programs,
 * which send none of these headers.
 */
export const rejectEmbeddedLoads: RequestHandler = (request, _response, next) => {
  const destination = request.get('Sec-Fetch-Dest') ?? 'empty';
  const site = request.get('Sec-Fetch-Site') ?? 'none';
  if (!allowedDestinations.has(destination) || !allowedSites.has(site)) {
    throw problem(
      'foreign-origin',
      'Pages cannot embed this. Follow a link to it from a page of this server.',
    );
  }
  next();
};
