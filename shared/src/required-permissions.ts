import { type AdminRight, type AnyScope, adminRights } from './access/admin-rights.ts';
import type { api } from './api.ts';

type Rights = readonly (AdminRight | AnyScope)[];
type Table = {
  [Area in keyof typeof api]?: Rights | { [Name in keyof (typeof api)[Area]]?: Rights };
};

const anyRight: Rights = adminRights;
/** Skills of some categories, which the routes filter. */
const anySkill: Rights = ['skills', 'skill-author', 'skill-publish', 'skill-block'];
const reviewers: Rights = ['skills', 'publish', 'skill-author', 'skill-publish'];
/** Only administrators with all rights. */
const allRights: Rights = [];
const crud = (right: AdminRight) => ({ get: [right], put: [right], remove: [right] }) as const;

/**
 * The rights for each admin endpoint: one of them is enough. Endpoints that are not listed require
 * all rights.
 */
export const requiredPermissions = {
  health: { faults: anyRight, metrics: ['analytics'] },
  admin: {
    status: [...adminRights, ...anySkill],
    choices: anyRight,
    audit: ['audit'],
    tryAs: ['skills'],
  },
  adminSkills: {
    list: [...anySkill, 'groups', 'apps'],
    get: [...anySkill, 'groups', 'apps'],
    facets: [...anySkill, 'groups'],
    create: ['skills'],
    checkName: ['skills', 'skill-author'],
    update: ['skills'],
    remove: ['skills'],
    duplicate: ['skills'],
    fix: ['skills'],
    editFields: ['skills'],
    export: ['skills'],
    exportMany: ['skills'],
    access: ['skills'],
  },
  adminSkillFiles: {
    file: anySkill,
    writeFile: ['skills'],
    removeFile: ['skills'],
    moveFile: ['skills'],
  },
  skillArchives: {
    upload: ['skills'],
    import: ['skills'],
    validate: anySkill,
  },
  skillAddress: ['skills'],
  skillSources: ['skills'],
  skillUpstreams: ['skills'],
  skillBulk: ['skills'],
  skillBin: ['skills'],
  skillBlocks: { get: anySkill, put: ['skills', 'skill-block'], remove: ['skills', 'skill-block'] },
  skillOwners: ['skills'],
  skillToolSettings: ['skills'],
  skillHistory: ['skills'],
  skillVersions: {
    list: anySkill,
    get: anySkill,
    file: anySkill,
    diff: anySkill,
    preview: ['skills'],
    restore: ['skills'],
  },
  skillDrafts: ['skills', 'skill-author'],
  skillFolderEdits: ['skills', 'skill-author'],
  draftTests: ['skills', 'skill-author'],
  // Without reviews required, those who save skills publish them.
  skillReviews: reviewers,
  triggerTests: ['skills'],
  triggerSchedule: ['settings', 'skills'],
  plugins: ['skills'],
  runner: ['skills', 'tools'],
  adminApps: { list: ['apps'], ...crud('apps') },
  adminGroups: { list: ['groups'], ...crud('groups') },
  adminModels: {
    list: ['models'],
    ...crud('models'),
    states: ['models', 'skills'],
    providers: ['models'],
    test: ['models'],
  },
  adminPrompts: { list: ['prompts'], ...crud('prompts') },
  sharedPrompts: ['prompts'],
  adminUsers: ['users'],
  skillSharing: {
    ofUser: ['users'],
    endOfUser: ['users'],
    withGroup: ['groups'],
    endWithGroup: ['groups'],
  },
  invitations: { list: ['users'], create: ['users'], remove: ['users'] },
  providerKeys: ['models'],
  serviceKeys: ['keys'],
  usage: { all: ['analytics'] },
  adminSettings: ['settings'],
  adminMail: ['settings'],
  adminSignIn: ['sign-in'],
  adminTools: {
    list: ['tools', 'groups', 'apps'],
    put: ['tools'],
    putSource: ['tools'],
    connect: ['tools'],
    tryOut: ['tools'],
  },
  backup: {
    state: ['backups'],
    // Exports may contain all password hashes, so they require all rights.
    export: ['backups'],
    snapshots: ['backups'],
    removeSnapshot: ['backups'],
    // A restore may change permissions.
    import: allRights,
    restoreSnapshot: allRights,
  },
  analytics: ['analytics'],
} satisfies Table;
