import { noPreferences } from '@knowhow/shared/access/preferences';
import { admins, at, ownGroup, type Row, signedIn, unknown } from './access-row.ts';

const prompt = { name: 'Greet', text: 'Say hello.', groups: [] };
const unknownId = '00000000-0000-4000-8000-000000000000';
const noPrompt = `/api/account/prompts/${unknownId}`;

const content = { description: 'Bills clients.', instructions: 'Name the client.' };

/** A request for the caller's own skill; only the groups of the user and the admin allow one. */
function ofOwnSkill(rest: string, json?: unknown): Row {
  return {
    answers: [401, '2xx', 403, '2xx'],
    send: (_, caller) => ({ path: `/api/my/skills/own-${caller}${rest}`, json }),
  };
}

/** Endpoints of personal data. */
export const ownRows = {
  preferences: {
    get: at(signedIn, '/api/account/preferences'),
    set: at(signedIn, '/api/account/preferences', { json: noPreferences }),
  },
  mail: {
    get: at(signedIn, '/api/account/mail'),
    set: at(signedIn, '/api/account/mail', { json: { isOn: false } }),
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
  mySkills: {
    list: at(signedIn, '/api/my/skills'),
    create: {
      answers: [401, '2xx', 403, '2xx'],
      send: (_, caller) => ({
        path: '/api/my/skills',
        json: { ...content, name: `own-${caller}` },
      }),
    } satisfies Row,
    get: ofOwnSkill(''),
    put: ofOwnSkill('', content),
    received: at(signedIn, '/api/my/received-skills'),
    recipients: ofOwnSkill('/share'),
    share: ofOwnSkill('/share', { users: [], groups: [] }),
    recipientChoices: at([401, '2xx', 403, '2xx'], '/api/my/skill-recipients'),
    propose: ofOwnSkill('/propose', { message: 'For everyone.' }),
    withdraw: ofOwnSkill('/withdraw'),
    comments: ofOwnSkill('/comments'),
    comment: ofOwnSkill('/comments', { text: 'When?' }),
    removeComment: at([401, 404, 403, 404], `/api/my/skills/unknown/comments/${unknownId}`),
    remove: ofOwnSkill(''),
  },
  sharedPrompts: {
    list: at(admins, '/api/admin/shared-prompts'),
    remove: at([401, 403, 403, 404], `/api/admin/shared-prompts/${unknownId}`),
  },
};
