import { pluginsApi } from '@knowhow/shared/skills/plugins';
import type { Router } from 'express';
import { changePlugin, listPlugins, removePlugin } from '../../modules/admin/plugins.ts';
import type { SkillAdmin } from '../../modules/admin/skill-admin.ts';
import { getChangeContext } from '../change-context.ts';
import { route } from '../route.ts';

export function pluginRoutes(router: Router, admin: SkillAdmin): void {
  route(router, pluginsApi.list, async () => ({ plugins: listPlugins(admin) }));

  route(router, pluginsApi.update, (call) =>
    changePlugin(admin, call.params.id, { ...getChangeContext(call), change: call.body }),
  );

  route(router, pluginsApi.remove, (call) =>
    removePlugin(admin, call.params.id, getChangeContext(call)),
  );
}
