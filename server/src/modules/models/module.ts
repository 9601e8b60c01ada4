import type { Module } from '../../platform/http/module.ts';
import { providerKeyRoutes } from './routes/provider-key-routes.ts';

export const models = {
  routes: [providerKeyRoutes],
} satisfies Module;
