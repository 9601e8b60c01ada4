import { adminSettingsApi } from '@knowhow/shared/config/admin-settings';
import type { Router } from 'express';
import { expectedChecksum } from '../../../platform/http/if-match.ts';
import { route } from '../../../platform/http/route.ts';
import { changeSettings, type SettingsAdmin } from '../settings/change-settings.ts';
import { readSettings } from '../settings/read-settings.ts';

/** Routes for the settings of the installation. */
export function settingsRoutes(router: Router, admin: SettingsAdmin): void {
  route(router, adminSettingsApi.get, ({ params }) => readSettings(params.id, admin));

  route(router, adminSettingsApi.put, ({ params, body, caller, request }) => {
    const expected = expectedChecksum(request);
    return changeSettings({ id: params.id, by: caller, config: body, expected }, admin);
  });
}
