import { adminTables } from './modules/admin/tables.ts';
import { contentTables } from './modules/content/tables.ts';
import { conversationTables } from './modules/conversations/tables.ts';
import { identityTables } from './modules/identity/tables.ts';
import { insightTables } from './modules/insights/tables.ts';
import { modelTables } from './modules/models/tables.ts';
import { skillTables } from './modules/skills/tables.ts';
import { toolTables } from './modules/tools/tables.ts';
import { joinTables } from './platform/storage/module-tables.ts';
import { platformTables } from './platform/storage/tables.ts';

/** The tables of the server. */
export const tables = joinTables([
  identityTables,
  contentTables,
  modelTables,
  skillTables,
  conversationTables,
  toolTables,
  insightTables,
  adminTables,
  platformTables,
]);
