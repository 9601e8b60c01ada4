import { noPreferences } from '@knowhow/shared/access/preferences';
import { admins, at, ownGroup, signedIn, unknown } from './access-row.ts';

const prompt = { name: 'Greet', text: 'Say hello.', groups: [] };
const unknownId = '00000000-0000-4000-8000-000000000000';
const noPrompt = `/api/account/prompts/${unknownId}`;

/** Endpoints of personal data. */
export const ownRows = {
  preferences: {
    get: at(signedIn, '/api/account/preferences'),
    set: at(signedIn, '/api/account/preferences', { json: noPreferences }),
  },
  appVariables: {
    get: at(ownGroup, '/api/apps/chat/variables'),
    set: at(ownGroup, '/api/apps/chat/variables', { json: { values: {} } }),
  },
  userPrompts: {
    list: at(signedIn, '/api/account/prompts'),
    create: at(signedIn, '/api/account/prompts', { json: prompt }),
    update: at(unknown, noPrompt, { json: prompt }),
    remove: at(unknown, noPrompt),
  },
  sharedPrompts: {
    list: at(admins, '/api/admin/shared-prompts'),
    remove: at([401, 403, 403, 404], `/api/admin/shared-prompts/${unknownId}`),
  },
};
