import { type AdminRight, adminRights } from './access/admin-rights.ts';
import type { api } from './api.ts';

type Rights = readonly AdminRight[];
type Table = {
  [Area in keyof typeof api]?: Rights | { [Name in keyof (typeof api)[Area]]?: Rights };
};

const anyRight: Rights = adminRights;
/** Only administrators with all rights. */
const allRights: Rights = [];
const crud = (right: AdminRight) => ({ get: [right], put: [right], remove: [right] }) as const;

/**
 * The rights for each admin endpoint: one of them is enough. Endpoints that are not listed require
 * all rights.
 */
export const requiredPermissions = {
  health: { faults: anyRight, metrics: ['analytics'] },
  admin: { status: anyRight, choices: anyRight, audit: ['audit'], tryAs: ['skills'] },
  adminSkills: {
    list: ['skills', 'groups', 'apps'],
    get: ['skills', 'groups', 'apps'],
    facets: ['skills', 'groups'],
    create: ['skills'],
    checkName: ['skills'],
    update: ['skills'],
    remove: ['skills'],
    duplicate: ['skills'],
    fix: ['skills'],
    editFields: ['skills'],
    export: ['skills'],
    exportMany: ['skills'],
    access: ['skills'],
  },
  adminSkillFiles: ['skills'],
  skillArchives: ['skills'],
  skillAddress: ['skills'],
  skillSources: ['skills'],
  skillBulk: ['skills'],
  skillBin: ['skills'],
  skillBlocks: ['skills'],
  skillOwners: ['skills'],
  skillToolSettings: ['skills'],
  skillHistory: ['skills'],
  skillVersions: ['skills'],
  skillDrafts: ['skills'],
  skillReviews: {
    list: ['skills', 'publish'],
    get: ['skills', 'publish'],
    // Without reviews required, those who save skills publish them.
    approve: ['skills', 'publish'],
    return: ['skills', 'publish'],
    withdraw: ['skills', 'publish'],
    comments: ['skills', 'publish'],
    comment: ['skills', 'publish'],
    removeComment: ['skills', 'publish'],
  },
  triggerTests: ['skills'],
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
