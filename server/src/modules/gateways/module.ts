import type { Module } from '../../platform/http/module.ts';
import { embedRoutes } from './routes/embed-routes.ts';
import { gitRoutes } from './routes/git-routes.ts';
import { mcpRoutes } from './routes/mcp-routes.ts';
import { openAiResponsesRoutes } from './routes/openai-responses-routes.ts';
import { openAiRoutes } from './routes/openai-routes.ts';
import { wellKnownSkillsRoutes } from './routes/well-known-skills-routes.ts';

export const gateways = {
  routes: [
    embedRoutes,
    openAiRoutes,
    openAiResponsesRoutes,
    mcpRoutes,
    wellKnownSkillsRoutes,
    gitRoutes,
  ],
} satisfies Module;
