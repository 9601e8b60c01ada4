import { skillTranslationApi } from '@knowhow/shared/skills/skill-translation';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import { translateSkill } from '../write-skill/translate-skill.ts';

/** Translations of the texts of skills. */
export function skillTranslationRoutes(
  router: Router,
  services: Parameters<typeof translateSkill>[1],
): void {
  const queue = boundedQueue({
    maxConcurrent: 10,
    maxWaiting: 50,
    maxPerCaller: 2,
    label: 'translations',
  });
  route(router, skillTranslationApi.suggest, ({ caller, body, request }) => {
    rejectGuest(caller, 'A guest writes no skills.');
    return queue(request, (signal) => translateSkill({ ...body, caller, signal }, services));
  });
}
