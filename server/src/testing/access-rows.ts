import { randomUUID } from 'node:crypto';
import type { api } from '@knowhow/shared/api';
import {
  admins,
  at,
  callOfAnswer,
  configRows,
  credentials,
  embedRows,
  everyone,
  forAdmins,
  nothingThere,
  ofAnswer,
  ofSnapshot,
  ofUser,
  ownAnswer,
  ownChat,
  ownConversation,
  ownGroup,
  type Row,
  resourceRows,
  secondAnswer,
  signedIn,
  unknown,
} from './access-row.ts';
import { accountRows } from './access-rows-account.ts';
import { ownRows } from './access-rows-own.ts';
import { adminSkillRows } from './admin-skill-rows.ts';
import { exportBackup } from './backup-calls.ts';
import { invitationRows } from './invitation-rows.ts';
import { programRows } from './program-rows.ts';
import { providerKeyRows } from './provider-key-rows.ts';
import { attentionRows, importRows, inboxRows, sharingRows } from './sharing-rows.ts';

const none: Row['answers'] = [404, 404, 404, 404];
const favourite = { kind: 'skill', id: 'none', isFavourite: true };

type Rows = { [A in keyof typeof api]: { [E in keyof (typeof api)[A]]: Row | Row[] } };

/**
 * Every endpoint; a missing one is a compile error. Called in this order, so that none needs what
 * an earlier one deletes.
 */
export const accessRows: Rows = {
  health: {
    health: at(everyone, '/api/health'),
    ready: at(everyone, '/api/ready'),
    faults: forAdmins('faults'),
    metrics: at(admins, '/metrics'),
  },
  auth: {
    login: {
      answers: [401, '2xx', '2xx', '2xx'],
      send: (_, caller) => ({ path: '/api/auth/login', json: credentials[caller] }),
    },
    me: at(everyone, '/api/auth/me'),
    logout: { ...at(everyone, '/api/auth/logout', { json: {} }), signsOut: true },
  },
  oidc: {
    ways: at(everyone, '/api/auth/ways'),
    begin: at(none, '/api/auth/oidc/none'),
    callback: at(none, '/api/auth/oidc/none/callback?state=none&code=none'),
    logout: at(none, '/api/auth/oidc/none/logout', { json: { logout_token: 'none' } }),
    logoutFrame: at(none, '/api/auth/oidc/none/logout'),
  },
  ...accountRows,
  ...ownRows,
  apps: {
    list: at(signedIn, '/api/apps'),
    get: [at(ownGroup, '/api/apps/chat'), at([401, 404, '2xx', '2xx'], '/api/apps/spare')],
  },
  models: { list: at(signedIn, '/api/models') },
  prompts: {
    list: at(signedIn, '/api/prompts'),
    fill: at([401, 404, 404, 404], '/api/prompts/fill', { json: { id: 'none/none', values: {} } }),
  },
  favourites: {
    list: at(ownGroup, '/api/favourites?app=chat'),
    set: at(unknown, '/api/favourites', { json: favourite }),
  },
  skills: {
    list: [at(signedIn, '/api/skills'), at(ownGroup, '/api/skills?app=chat')],
    get: [
      at(ownGroup, '/api/skills/meeting-notes'),
      at([401, 404, 404, '2xx'], '/api/skills/release-notes'),
    ],
    content: at(ownGroup, '/api/skills/meeting-notes/content'),
    file: at(ownGroup, '/api/skills/meeting-notes/files/references/format.md'),
  },
  library: {
    list: at(signedIn, '/api/library'),
    get: [
      at(ownGroup, '/api/library/meeting-notes'),
      at([401, 404, 404, '2xx'], '/api/library/release-notes'),
    ],
    requestable: at(signedIn, '/api/requestable-skills'),
    request: at(unknown, '/api/library/meeting-notes/request', { json: {} }),
  },
  inbox: inboxRows,
  skillAttention: attentionRows,
  chat: {
    turn: [
      {
        answers: ownGroup,
        send: () => ({ path: `/api/apps/chat/chat/${randomUUID()}`, json: { message: 'Hello' } }),
      },
      ownChat('', { message: 'Hello' }),
    ],
    compare: secondAnswer,
    follow: ownConversation('/turn'),
    stop: ownChat('/stop'),
  },
  sharing: sharingRows,
  embed: embedRows,
  conversationImport: importRows,
  skillTranslation: {
    suggest: at([401, 400, 400, 400], '/api/skill-translation', {
      json: { model: 'none', language: 'de', title: 'Notes' },
    }),
  },
  conversationSkill: {
    write: { ...ownConversation('/skill', {}), answers: [401, '2xx', 403, 404] },
  },
  conversationExport: { export: ownConversation('/export?format=html') },
  conversations: {
    list: at(signedIn, '/api/conversations'),
    title: ownConversation('/title'),
    get: ownConversation(''),
    change: ownConversation('', { title: 'Mine' }),
    giveFeedback: ownAnswer('/feedback', { value: 'up' }),
    endSkill: ownConversation('/skills/meeting-notes'),
    remove: ownConversation(''),
  },
  folders: {
    list: at(signedIn, '/api/folders'),
    rename: at([401, 404, 404, 404], '/api/folders/none', { json: { name: 'Other' } }),
    remove: at([401, 404, 404, 404], '/api/folders/none'),
  },
  lines: { change: nothingThere('/line', { question: randomUUID() }) },
  tools: {
    consent: nothingThere('/consents/none', { decision: 'deny' }),
    answer: nothingThere('/questions/none', { action: 'decline' }),
    result: callOfAnswer,
    file: at([401, 404, 404, 404], '/api/files/none'),
    consents: at(signedIn, '/api/account/consents'),
    revoke: at([401, 404, 404, 404], '/api/account/consents/none'),
  },
  files: {
    upload: at(signedIn, '/api/files', { body: 'A text.' }),
    remove: at([401, 404, 404, 404], '/api/files/none'),
  },
  resources: resourceRows,
  traces: {
    get: [ofAnswer('chat', ''), ofAnswer('quiet', '')],
    skill: [ofAnswer('chat', '/skills/meeting-notes'), ofAnswer('quiet', '/skills/meeting-notes')],
  },
  admin: {
    status: forAdmins('status'),
    audit: forAdmins('audit'),
    choices: forAdmins('choices/apps'),
    tryAs: forAdmins('try-as', { app: 'chat', groups: ['staff'] }),
  },
  ...adminSkillRows,
  adminApps: configRows('apps', { system: 'You are brief.' }),
  adminGroups: configRows('groups', { permissions: {} }),
  adminModels: {
    providers: forAdmins('model-providers'),
    states: forAdmins('model-states'),
    test: at(admins, '/api/admin/models/spare/test'),
    ...configRows('models', { modelId: 'spare', provider: 'local' }),
  },
  adminPrompts: configRows('prompts', { prompt: 'Changed.' }),
  adminUsers: {
    list: forAdmins('users'),
    create: forAdmins('users', { username: 'new', name: 'New', groups: [] }),
    get: ofUser(''),
    update: ofUser('', { name: 'Changed' }),
    setMailAddress: ofUser('/mail', { address: 'new@example.org' }),
    removeSecondFactor: ofUser('/second-factor'),
    moveSignIn: at(
      [401, 403, 403, 404],
      '/api/admin/users/00000000-0000-4000-8000-000000000000/move-sign-in',
      { json: { to: '00000000-0000-4000-8000-000000000001' } },
    ),
    resetPassword: ofUser('/reset-password', {}),
    remove: ofUser('?conversations=delete'),
  },
  skillSharing: {
    ofUser: ofUser('/skill-sharing'),
    endOfUser: ofUser('/skill-sharing'),
    withGroup: forAdmins('groups/admins/skill-sharing'),
    endWithGroup: forAdmins('groups/admins/skill-sharing'),
  },
  ...invitationRows,
  ...providerKeyRows,
  serviceKeys: {
    list: forAdmins('keys'),
    create: forAdmins('keys', { name: 'CI', scopes: ['chat'], groups: ['staff'] }),
    remove: at([401, 403, 403, 404], '/api/admin/keys/none'),
  },
  usage: {
    own: at(signedIn, '/api/account/usage'),
    all: forAdmins('usage'),
  },
  adminMail: {
    state: forAdmins('mail'),
    test: at([401, 403, 403, 409], '/api/admin/mail/test'),
  },
  adminSettings: {
    get: forAdmins('settings/skills'),
    put: forAdmins('settings/skills', { maxSkillsPerRequest: 9 }),
  },
  adminSignIn: {
    state: forAdmins('sign-in'),
    test: at([401, 403, 403, 404], '/api/admin/sign-in/none/test', { json: {} }),
    claims: at([401, 403, 403, 404], '/api/admin/sign-in/none/claims', { json: { claims: {} } }),
  },
  adminTools: {
    list: forAdmins('tools'),
    put: forAdmins('tools/calculate', { enabled: true }),
    putSource: forAdmins('tool-sources/builtin', { enabled: true }),
    connect: forAdmins('tool-sources/builtin/connect'),
    tryOut: forAdmins('tools/calculate/try', { input: { expression: '1 + 1' } }),
  },
  plugins: {
    list: forAdmins('plugins'),
    update: at([401, 403, 403, 404], '/api/admin/plugins/none', { json: {} }),
    remove: at([401, 403, 403, 404], '/api/admin/plugins/none'),
  },
  backup: {
    state: forAdmins('backup'),
    export: forAdmins('backup/export'),
    import: {
      answers: admins,
      send: async ({ visitors }) => ({
        path: '/api/admin/backup/import?dryRun=true',
        body: await exportBackup(visitors.admin),
      }),
    },
    snapshots: forAdmins('backup/snapshots'),
    restoreSnapshot: ofSnapshot('/restore'),
    removeSnapshot: ofSnapshot(''),
  },
  analytics: {
    skills: forAdmins('analytics/skills'),
    skillsCsv: forAdmins('analytics/skills.csv?model=spare'),
    versions: forAdmins('analytics/skills/meeting-notes/versions'),
    reasons: forAdmins('analytics/reasons'),
  },
  ...programRows,
  runner: {
    state: at(admins, '/api/admin/runner'),
    sync: at([401, 403, 403, 404], '/api/admin/runner/sync', { json: {} }),
  },
};
