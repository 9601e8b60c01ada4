import { preferencesApi } from '@knowhow/shared/access/preferences';
import type { Router } from 'express';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { getPreferences, setPreferences } from '../preferences.ts';

interface Dependencies {
  database: Database;
}

const guestMessage = 'Guests have no custom instructions.';

/** Routes for custom instructions and other preferences. */
export function preferenceRoutes(router: Router, { database }: Dependencies): void {
  route(router, preferencesApi.get, ({ caller }) => {
    rejectGuest(caller, guestMessage);
    return getPreferences(database, caller.id);
  });

  route(router, preferencesApi.set, async ({ caller, body }) => {
    rejectGuest(caller, guestMessage);
    await setPreferences(database, caller.id, body);
    return body;
  });
}
