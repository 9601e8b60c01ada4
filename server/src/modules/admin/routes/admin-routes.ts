import {
  adminRights,
  coversCategories,
  getSkillScope,
  holdsRight,
} from '@knowhow/shared/access/admin-rights';
import { adminApi } from '@knowhow/shared/config/admin';
import { adminSettingsApi } from '@knowhow/shared/config/admin-settings';
import type { Router } from 'express';
import { rightsListed } from '../../../platform/http/caller.ts';
import { expectedChecksum } from '../../../platform/http/if-match.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { SettingsAdmin } from '../settings/change-settings.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';

interface Dependencies
  extends Pick<SettingsAdmin, 'contents' | 'contentWriter' | 'models' | 'userAdmin'>,
    Pick<SettingsAdmin['environment'], 'host' | 'turnIdleMinutes' | 'traceDays'> {
  version: string;
  warnings: () => string[];
  audit: AuditLog;
  scripts: Pick<SkillAdmin['scripts'], 'wanted'>;
  folderReview: { readonly isOn: boolean };
}

/** Routes for the installation and its audit log. */
export function adminRoutes(
  router: Router,
  { version, warnings, audit, scripts, folderReview, ...settings }: Dependencies,
): void {
  const environment = { ...settings, runsScripts: scripts.wanted };
  settingsRoutes(router, { ...settings, audit, environment });
  route(router, adminApi.status, ({ caller }) => {
    const { isOn } = folderReview;
    const policy = settings.contents().skills.settings.publishing;
    const publishing = { ...policy, files: isOn ? ('review' as const) : ('direct' as const) };
    const held = rightsListed(caller.permissions.adminAccess);
    if (holdsRight(held, adminRights)) {
      return { version, warnings: warnings(), publishing };
    }
    // Authors of some categories do not administer the installation, and know no others.
    const own = Object.entries(publishing.byCategory).filter(([name]) =>
      coversCategories(getSkillScope(held), [name]),
    );
    return {
      version,
      warnings: [],
      publishing: { ...publishing, byCategory: Object.fromEntries(own) },
    };
  });

  route(router, adminApi.audit, ({ query }) => audit.list(query));
}

/** Routes for the settings of the installation. */
function settingsRoutes(router: Router, admin: SettingsAdmin): void {
  route(router, adminSettingsApi.get, ({ params }) => readSettings(params.id, admin));

  route(router, adminSettingsApi.put, ({ params, body, caller, request }) => {
    const expected = expectedChecksum(request);
    return changeSettings({ id: params.id, by: caller, config: body, expected }, admin);
  });
}
