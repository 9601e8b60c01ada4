import { type AdminRight, adminRights } from '@knowhow/shared/access/admin-rights';
import { rightsFiles, type SignedIn, signInAgain, signInNew } from './rights-chat.ts';
import { signInAdmin } from './sign-in-admin.ts';
import { skillFile } from './skill-folder.ts';
import type { TestServer, Visitor } from './start-test-server.ts';
import { startOf, takeTurn } from './take-turn.ts';
import type { Files } from './write-files.ts';

/** Callers: not signed in, a user, a user of another group, and an admin. */
export const callers = ['anonymous', 'user', 'other', 'admin'] as const;
export type CallerName = (typeof callers)[number];

/** The server and its users. */
export interface Stage {
  server: TestServer;
  visitors: Record<CallerName, Visitor>;
  /** Administrators with a single permission each. */
  limited: Record<AdminRight, Visitor>;
  user: SignedIn;
  /** A conversation of `user` with an active skill. */
  conversationId: string;
  /** The answer in that conversation. */
  answerId: string;
}

/** The two groups, and one deletable item of each kind. */
export const accessFiles: Files = {
  ...rightsFiles,
  'config/platform.json': {
    rateLimit: { requests: 0, turns: 0, failedLogins: 0 },
    anonymousAuth: { enabled: false },
  },
  'config/groups.json': {
    groups: {
      staff: {
        id: 'staff',
        name: 'Staff',
        permissions: {
          apps: ['chat', 'quiet'],
          models: ['*'],
          skills: ['meeting-notes'],
          personalSkills: 'propose',
        },
      },
      interns: { id: 'interns', name: 'Interns', permissions: { apps: ['spare'], models: ['*'] } },
      spare: { id: 'spare', name: 'Spare', permissions: {} },
      ...Object.fromEntries(
        adminRights.map((right) => [
          `only-${right}`,
          { id: `only-${right}`, name: right, permissions: { adminAccess: [right] } },
        ]),
      ),
      admins: {
        id: 'admins',
        name: 'Admins',
        permissions: {
          apps: ['*'],
          models: ['*'],
          skills: ['*'],
          personalSkills: 'propose',
          adminAccess: true,
        },
      },
    },
  },
  'apps/chat.json': {
    id: 'chat',
    name: 'Chat',
    system: 'You are helpful.',
    skills: ['meeting-notes', 'release-notes'],
    showTrace: true,
  },
  'apps/quiet.json': { id: 'quiet', name: 'Quiet', system: 'You are helpful.' },
  'apps/spare.json': { id: 'spare', name: 'Spare', system: 'You are helpful.' },
  'models/spare.json': {
    id: 'spare',
    modelId: 'spare',
    name: 'Spare',
    provider: 'local',
    url: 'http://127.0.0.1:9/v1',
  },
  'prompts/spare.json': { id: 'spare', name: 'Spare', prompt: 'Spare.' },
  'skills/spare/SKILL.md': skillFile('spare', 'May be changed and deleted.'),
  'skills/spare/one.md': 'One.',
  'skills/untidy/SKILL.md': '---\nname: untidy\n---\n\n# Untidy\n\nLacks a description.\n',
};

/** Signs in a user of each group and an admin, and creates a conversation. */
export async function openStage(server: TestServer): Promise<Stage> {
  const admin = await signInAdmin(server);
  const user = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  const other = await signInNew(server, admin, { username: 'ben', groups: ['interns'] });
  const turn = await takeTurn(user.visitor, { message: 'Hello', skills: ['meeting-notes'] });
  const { conversationId } = turn;
  const visitors = {
    anonymous: server.visitor(),
    user: user.visitor,
    other: other.visitor,
    admin,
  };
  const limited = await Promise.all(
    adminRights.map(async (right) => {
      const one = { username: `only-${right}`, groups: [`only-${right}`] };
      return [right, (await signInNew(server, admin, one)).visitor] as const;
    }),
  ).then((all) => Object.fromEntries(all) as Stage['limited']);
  return { server, visitors, limited, user, conversationId, answerId: startOf(turn).messageId };
}

/** Signs in the same users again. */
export async function signInAgainAll({ server }: Stage): Promise<Stage['visitors']> {
  return {
    anonymous: server.visitor(),
    user: (await signInAgain(server, 'ann')).visitor,
    other: (await signInAgain(server, 'ben')).visitor,
    admin: await signInAdmin(server),
  };
}
