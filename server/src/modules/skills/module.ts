import type { Module } from '../../platform/http/module.ts';
import { libraryRoutes } from './routes/library-routes.ts';
import { skillRoutes } from './routes/skill-routes.ts';

export const skills = {
  routes: [skillRoutes, libraryRoutes],
} satisfies Module;
