import type { Module } from '../../platform/http/module.ts';
import { branchRoutes } from './routes/branch-routes.ts';
import { conversationRoutes } from './routes/conversation-routes.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { folderRoutes } from './routes/folder-routes.ts';
import { importRoutes } from './routes/import-routes.ts';
import { sharingRoutes } from './routes/sharing-routes.ts';

export const conversations = {
  routes: [
    conversationRoutes,
    folderRoutes,
    branchRoutes,
    sharingRoutes,
    exportRoutes,
    importRoutes,
  ],
} satisfies Module;
