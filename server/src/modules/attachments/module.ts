import type { Module } from '../../platform/http/module.ts';
import { fileRoutes } from './routes/file-routes.ts';

export const attachments = {
  routes: [fileRoutes],
} satisfies Module;
