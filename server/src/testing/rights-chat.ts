import { join } from 'node:path';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { expect } from 'vitest';
import { toMessage } from '../modules/conversations/conversation-rows.ts';
import { openTestDatabase } from './open-test-database.ts';
import { skillFile } from './skill-folder.ts';
import { createVisitor, type TestServer, type Visitor } from './start-test-server.ts';
import type { Files } from './write-files.ts';

const permissions = { apps: ['*'], models: ['*'] };

/** Two groups of users, and an app with two skills. */
export const rightsFiles: Files = {
  'config/groups.json': {
    groups: {
      anonymous: { id: 'anonymous', name: 'A', permissions: { ...permissions, skills: ['*'] } },
      staff: {
        id: 'staff',
        name: 'Staff',
        permissions: { ...permissions, skills: ['meeting-notes', 'release-notes'] },
      },
      interns: {
        id: 'interns',
        name: 'Interns',
        permissions: { ...permissions, skills: ['release-notes'] },
      },
      outside: { id: 'outside', name: 'Outside', permissions: {} },
      admins: { id: 'admins', name: 'Admins', permissions: { apps: ['*'], adminAccess: true } },
    },
  },
  'apps/chat.json': {
    id: 'chat',
    name: 'Chat',
    system: 'You are helpful.',
    skills: ['meeting-notes', 'release-notes'],
  },
  'skills/release-notes/SKILL.md': skillFile('release-notes', 'Writes release notes.', 'Be brief.'),
};

export interface SignedIn {
  id: string;
  visitor: Visitor;
  /** `name=value`, for requests without a visitor. */
  cookie: string;
}

/** Creates a user and signs them in with a new visitor. */
export async function signInNew(
  server: TestServer,
  admin: Visitor,
  user: { username: string; groups: string[] },
): Promise<SignedIn> {
  const json = { ...user, name: user.username, password: passwordOf(user.username) };
  const created = await admin('/api/admin/users', { json });
  const { id } = adminUsersApi.create.response.parse(await created.json()).user;
  return { id, ...(await signInAgain(server, user.username)) };
}

/** Signs in the same user with another visitor. */
export async function signInAgain(
  { url }: TestServer,
  username: string,
): Promise<Omit<SignedIn, 'id'>> {
  const json = { username, password: passwordOf(username) };
  const answer = await createVisitor(url)('/api/auth/login', { json });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { cookie, visitor: createVisitor(url, cookie) };
}

/** The password of users created by `signInNew`. */
export function passwordOf(username: string): string {
  return `a long password of ${username}`;
}

/** The last stored answer of a conversation, read from the database without access checks. */
export async function storedAnswer(
  { folder }: TestServer,
  conversationId: string,
): Promise<AssistantMessage | undefined> {
  const database = await openTestDatabase(join(folder, 'data'));
  const rows = await database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('position')
    .execute();
  await database.destroy();
  return rows.map(toMessage).findLast((message) => message.role === 'assistant');
}
