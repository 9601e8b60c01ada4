import type { Module } from '../../platform/http/module.ts';
import { backupRoutes } from './routes/backup-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';

export const operations = {
  routes: [healthRoutes, backupRoutes],
} satisfies Module;
