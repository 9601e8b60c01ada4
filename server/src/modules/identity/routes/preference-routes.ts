import { preferencesApi } from '@knowhow/shared/access/preferences';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { route } from '../../../http/route.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Caller } from '../caller.ts';
import { getPreferences, setPreferences } from '../preferences.ts';

interface Dependencies {
  database: Database;
}

/** Routes for custom instructions and other preferences. */
export function preferenceRoutes(router: Router, { database }: Dependencies): void {
  route(router, preferencesApi.get, ({ caller }) => {
    rejectGuest(caller);
    return getPreferences(database, caller.id);
  });

  route(router, preferencesApi.set, async ({ caller, body }) => {
    rejectGuest(caller);
    await setPreferences(database, caller.id, body);
    return body;
  });
}

function rejectGuest({ anonymous }: Caller): void {
  if (anonymous) {
    throw problem('forbidden', 'Sign in first: guests have no custom instructions.');
  }
}
