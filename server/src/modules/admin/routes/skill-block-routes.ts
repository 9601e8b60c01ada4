import { skillBlocksApi } from '@knowhow/shared/skills/skill-blocks';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import { type BlockAdmin, blockSkill, describeBlock, unblockSkill } from '../skills/block-skill.ts';
import { checkSkill } from '../skills/skill-scope.ts';

export function skillBlockRoutes(router: Router, admin: BlockAdmin): void {
  route(router, skillBlocksApi.get, async ({ params, caller }) => {
    await checkSkill(admin, caller, params.name);
    return describeBlock(admin, params.name);
  });

  route(router, skillBlocksApi.put, async (call) => {
    await checkSkill(admin, call.caller, call.params.name, ['block']);
    return blockSkill(admin, getChangeContext(call), call.body);
  });

  route(router, skillBlocksApi.remove, async (call) => {
    await checkSkill(admin, call.caller, call.params.name, ['block']);
    return unblockSkill(admin, getChangeContext(call));
  });
}
