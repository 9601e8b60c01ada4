import type { Module } from '../../platform/http/module.ts';
import { connectionRoutes } from './routes/connection-routes.ts';
import { runnerRoutes } from './routes/runner-routes.ts';
import { toolRoutes } from './routes/tool-routes.ts';

export const tools = {
  routes: [toolRoutes, connectionRoutes, runnerRoutes],
} satisfies Module;
