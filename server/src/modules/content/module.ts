import type { Module } from '../../platform/http/module.ts';
import { appVariableRoutes } from './routes/app-variable-routes.ts';
import { catalogueRoutes } from './routes/catalogue-routes.ts';

export const content = {
  routes: [catalogueRoutes, appVariableRoutes],
} satisfies Module;
