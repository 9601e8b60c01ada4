import { skillBlocksApi } from '@knowhow/shared/skills/skill-blocks';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import { type BlockAdmin, blockSkill, describeBlock, unblockSkill } from '../skills/block-skill.ts';

export function skillBlockRoutes(router: Router, admin: BlockAdmin): void {
  route(router, skillBlocksApi.get, ({ params }) => describeBlock(admin, params.name));

  route(router, skillBlocksApi.put, (call) => blockSkill(admin, getChangeContext(call), call.body));

  route(router, skillBlocksApi.remove, (call) => unblockSkill(admin, getChangeContext(call)));
}
