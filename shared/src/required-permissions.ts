import { type AdminRight, adminRights } from './access/admin-rights.ts';
import type { api } from './api.ts';

type Rights = readonly AdminRight[];
type Table = {
  [Area in keyof typeof api]?: Rights | { [Name in keyof (typeof api)[Area]]?: Rights };
};

const whoever: Rights = adminRights;
/** Only whoever has all rights. */
const full: Rights = [];
const kept = (right: AdminRight) => ({ get: [right], put: [right], remove: [right] }) as const;

/**
 * Which right lets an administrator call what: one of those that are named is enough. What is not named here is
 * for those who have all rights.
 */
export const requiredPermissions = {
  health: { faults: whoever, metrics: ['analytics'] },
  admin: { status: whoever, choices: whoever, audit: ['audit'], tryAs: ['skills'] },
  adminSkills: {
    list: ['skills', 'groups', 'apps'],
    get: ['skills', 'groups', 'apps'],
    facets: ['skills'],
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
  skillBulk: ['skills'],
  skillToolSettings: ['skills'],
  skillHistory: ['skills'],
  triggerTests: ['skills'],
  plugins: ['skills'],
  runner: ['skills', 'tools'],
  adminApps: { list: ['apps'], ...kept('apps') },
  adminGroups: { list: ['groups'], ...kept('groups') },
  adminModels: {
    list: ['models'],
    ...kept('models'),
    states: ['models', 'skills'],
    providers: ['models'],
    test: ['models'],
  },
  adminPrompts: { list: ['prompts'], ...kept('prompts') },
  sharedPrompts: ['prompts'],
  adminUsers: ['users'],
  invitations: { list: ['users'], create: ['users'], remove: ['users'] },
  providerKeys: ['models'],
  serviceKeys: ['keys'],
  usage: { all: ['analytics'] },
  adminSettings: ['settings'],
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
    // With users and conversations, which hold every password's hash, for those who have all rights.
    export: ['backups'],
    snapshots: ['backups'],
    removeSnapshot: ['backups'],
    // A restore decides who may do what.
    import: full,
    restoreSnapshot: full,
  },
  analytics: ['analytics'],
} satisfies Table;
