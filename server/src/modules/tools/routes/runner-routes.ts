import { runnerApi } from '@knowhow/shared/config/runner';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { SkillAdmin } from '../../admin/index.ts';

/** Routes for the script runner. */
export function runnerRoutes(
  router: Router,
  { scripts, contents }: Pick<SkillAdmin, 'scripts' | 'contents'>,
): void {
  route(router, runnerApi.state, () => {
    const { wanted, runner, warnings, copying } = scripts;
    const lastSync = copying?.last();
    const syncing = copying?.progress();
    return {
      wanted,
      refused: !contents().skills.settings.allowScriptExecution,
      ...(runner ? { tier: runner.tier } : {}),
      status: runner?.status ?? ('none' as const),
      runtimes: { ...runner?.runtimes },
      warnings,
      keepsCopies: copying !== undefined,
      ...(lastSync ? { lastSync } : {}),
      ...(syncing ? { syncing } : {}),
    };
  });

  route(router, runnerApi.sync, () => {
    if (!scripts.copying) {
      throw problem('not-found', 'This script runner keeps no copies of skills.');
    }
    return scripts.copying.sync();
  });
}
