import { skillToolSettingsApi } from '@knowhow/shared/skills/skill-tool-settings';
import type { Router } from 'express';
import type { SkillAdmin } from '../../modules/admin/skill-admin.ts';
import { changeToolSettings, toolSettings } from '../../modules/admin/skill-tool-settings.ts';
import { getChangeContext } from '../change-context.ts';
import { route } from '../route.ts';

/** Routes for the settings of skill tools. */
export function skillToolRoutes(router: Router, admin: SkillAdmin): void {
  route(router, skillToolSettingsApi.get, ({ params }) => toolSettings(admin, params.name));

  route(router, skillToolSettingsApi.put, (call) =>
    changeToolSettings(admin, getChangeContext(call), call.body),
  );
}
