import { admin } from './modules/admin/module.ts';
import { attachments } from './modules/attachments/module.ts';
import { chat } from './modules/chat/module.ts';
import { content } from './modules/content/module.ts';
import { conversations } from './modules/conversations/module.ts';
import { gateways } from './modules/gateways/module.ts';
import { identity } from './modules/identity/module.ts';
import { insights } from './modules/insights/module.ts';
import { models } from './modules/models/module.ts';
import { operations } from './modules/operations/module.ts';
import { skills } from './modules/skills/module.ts';
import { tools } from './modules/tools/module.ts';
import type { ServicesOf } from './platform/http/module.ts';

/** All modules, in the order in which their routes are matched. */
export const modules = [
  operations,
  identity,
  content,
  models,
  skills,
  conversations,
  chat,
  tools,
  attachments,
  insights,
  admin,
  gateways,
] as const;

/** The services that the routes of all modules need. `app.ts` creates them. */
export type Services = ServicesOf<typeof modules>;
