import { skillToolSettingsApi } from '@knowhow/shared/skills/skill-tool-settings';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { changeToolSettings, toolSettings } from '../skills/skill-tool-settings.ts';

/** Routes for the settings of skill tools. */
export function skillToolRoutes(router: Router, admin: SkillAdmin): void {
  route(router, skillToolSettingsApi.get, ({ params }) => toolSettings(admin, params.name));

  route(router, skillToolSettingsApi.put, (call) =>
    changeToolSettings(admin, getChangeContext(call), call.body),
  );
}
