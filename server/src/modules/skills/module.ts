import type { Module } from '../../platform/http/module.ts';
import { accessRequestRoutes } from './routes/access-request-routes.ts';
import { attentionRoutes } from './routes/attention-routes.ts';
import { inboxRoutes } from './routes/inbox-routes.ts';
import { libraryRoutes } from './routes/library-routes.ts';
import { mailRoutes } from './routes/mail-routes.ts';
import { receivedSkillRoutes } from './routes/received-skill-routes.ts';
import { skillRoutes } from './routes/skill-routes.ts';

export const skills = {
  routes: [
    skillRoutes,
    libraryRoutes,
    receivedSkillRoutes,
    accessRequestRoutes,
    inboxRoutes,
    mailRoutes,
    attentionRoutes,
  ],
} satisfies Module;
