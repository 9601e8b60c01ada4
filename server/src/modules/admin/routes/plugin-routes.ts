import { pluginsApi } from '@knowhow/shared/skills/plugins';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import { changePlugin, listPlugins, removePlugin } from '../skills/plugins.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';

export function pluginRoutes(router: Router, admin: SkillAdmin): void {
  route(router, pluginsApi.list, async () => ({ plugins: listPlugins(admin) }));

  route(router, pluginsApi.update, (call) =>
    changePlugin(admin, call.params.id, { ...getChangeContext(call), change: call.body }),
  );

  route(router, pluginsApi.remove, (call) =>
    removePlugin(admin, call.params.id, getChangeContext(call)),
  );
}
