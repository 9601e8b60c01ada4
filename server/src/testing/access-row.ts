import { randomUUID } from 'node:crypto';
import { backupApi } from '@knowhow/shared/config/backup';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { reviewCommentsSchema } from '@knowhow/shared/skills/skill-reviews';
import type { CallerName, Stage } from './access-stage.ts';
import { exportBackup, importBackup } from './backup-calls.ts';
import { parseAnswer } from './parse-answer.ts';
import { passwordOf, signInNew } from './rights-chat.ts';
import { skillFile } from './skill-folder.ts';
import { adminPassword, type Visitor } from './start-test-server.ts';
import { startOf, takeTurn } from './take-turn.ts';

/** Expected status per caller, or any 2xx. */
type Answers = readonly [anonymous: Status, user: Status, other: Status, admin: Status];
type Status = '2xx' | 400 | 401 | 403 | 404 | 405 | 409;

export const everyone: Answers = ['2xx', '2xx', '2xx', '2xx'];
export const signedIn: Answers = [401, '2xx', '2xx', '2xx'];
/** Does not exist for anyone. */
export const unknown: Answers = [401, 404, 404, 404];
/** Appears not to exist for users without permission. */
export const ownGroup: Answers = [401, '2xx', 404, '2xx'];
/** Personal data: hidden from everybody else, including admins. */
const owner: Answers = [401, '2xx', 404, 404];
export const admins: Answers = [401, 403, 403, '2xx'];

interface Sent {
  path: string;
  json?: unknown;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** A well-formed request and the expected status per caller. */
export interface Row {
  answers: Answers;
  /** Called for each caller; admin and user come last. */
  send: (stage: Stage, caller: CallerName) => Sent | Promise<Sent>;
  /** Ends the caller's session. */
  signsOut?: true;
}

export const credentials: Record<CallerName, { username: string; password: string }> = {
  anonymous: { username: 'nobody', password: 'no password of anybody' },
  user: { username: 'ann', password: passwordOf('ann') },
  other: { username: 'ben', password: passwordOf('ben') },
  admin: { username: 'admin', password: adminPassword },
};

export function at(answers: Answers, path: string, sent: Omit<Sent, 'path'> = {}): Row {
  return { answers, send: () => ({ path, ...sent }) };
}

export function forAdmins(path: string, json?: unknown): Row {
  return at(admins, `/api/admin/${path}`, { json });
}

export function archive(name: string): Omit<Sent, 'path'> {
  return { body: skillFile(name, 'Comes in an archive.') };
}

export function ownConversation(rest: string, json?: unknown): Row {
  return {
    answers: owner,
    send: ({ conversationId }) => ({ path: `/api/conversations/${conversationId}${rest}`, json }),
  };
}

/** The same, through the chat endpoint. */
export function ownChat(rest: string, json?: unknown): Row {
  return {
    answers: owner,
    send: ({ conversationId }) => ({ path: `/api/apps/chat/chat/${conversationId}${rest}`, json }),
  };
}

/** Something that belongs to an answer in the conversation. */
export function ownAnswer(rest: string, json?: unknown): Row {
  return {
    answers: owner,
    send: ({ answerId }) => ({ path: `/api/messages/${answerId}${rest}`, json }),
  };
}

/** Something that does not exist in the user's conversation. */
export function nothingThere(rest: string, json: unknown): Row {
  return { ...ownConversation(rest, json), answers: [401, 404, 404, 404] };
}

/** Traces: always visible to admins, and to the owner if the app allows it. */
export function ofAnswer(app: 'chat' | 'quiet', rest: string): Row {
  return {
    answers: app === 'chat' ? [401, '2xx', 404, '2xx'] : [401, 404, 404, '2xx'],
    send: async ({ visitors }) => {
      const turn = await takeTurn(visitors.user, { app, message: 'Hello' });
      return { path: `/api/messages/${startOf(turn).messageId}/trace${rest}` };
    },
  };
}

/** A comparison answer to the user's question. */
export const secondAnswer: Row = {
  answers: owner,
  send: async ({ visitors }) => {
    const turn = await takeTurn(visitors.user, { message: 'Hello' });
    const { userMessageId: question, model } = startOf(turn);
    return {
      path: `/api/apps/chat/chat/${turn.conversationId}/compare`,
      json: { question, model },
    };
  },
};

/** Admin requests for a kind of configuration. */
export function configRows(kind: string, change: Record<string, unknown>) {
  return {
    list: forAdmins(kind),
    get: forAdmins(`${kind}/spare`),
    put: forAdmins(`${kind}/spare`, { id: 'spare', name: 'Changed', ...change }),
    remove: forAdmins(`${kind}/spare`),
  };
}

/** Submits a new draft. */
export const draftToSubmit: Row = {
  answers: admins,
  send: async ({ visitors: { admin } }) => {
    const path = await saveDraft(admin);
    return { path: `${path}/submit`, json: { message: 'Is new.' } };
  },
};

/** Admin requests for the review of a new draft. */
export function ofReview(rest: string, json?: unknown): Row {
  return {
    answers: admins,
    send: async ({ visitors: { admin } }) => ({
      path: `${await submitReview(admin)}${rest}`,
      json,
    }),
  };
}

/** Deletes a comment that the admin wrote. */
export const ofReviewComment: Row = {
  answers: admins,
  send: async ({ visitors: { admin } }) => {
    const path = `${await submitReview(admin)}/comments`;
    const { items } = await parseAnswer(
      reviewCommentsSchema,
      admin(path, { json: { text: 'Why?' } }),
    );
    return { path: `${path}/${items[0]?.id}` };
  },
};

async function submitReview(admin: Visitor): Promise<string> {
  const path = await saveDraft(admin);
  const { id } = await parseAnswer(
    skillDraftsApi.submit.response,
    admin(`${path}/submit`, { json: { message: 'Is new.' } }),
  );
  return `/api/skill-reviews/${id}`;
}

async function saveDraft(admin: Visitor): Promise<string> {
  const name = `draft-${randomUUID()}`;
  const path = `/api/skill-drafts/${name}`;
  await admin(path, { method: 'PUT', ...archive(name) });
  return path;
}

/** Admin requests for a newly created user. */
export function ofUser(rest: string, json?: unknown): Row {
  return {
    answers: admins,
    send: async ({ server, visitors }) => {
      const user = { username: `user-${randomUUID()}`, groups: [] };
      const { id } = await signInNew(server, visitors.admin, user);
      return { path: `/api/admin/users/${id}${rest}`, json };
    },
  };
}

/** Admin requests for a snapshot, created by a restore if there is none. */
export function ofSnapshot(rest: string): Row {
  return {
    answers: admins,
    send: async ({ visitors: { admin } }) => {
      const list = () =>
        parseAnswer(backupApi.snapshots.response, admin('/api/admin/backup/snapshots'));
      const { total } = await list();
      if (total === 0) {
        await importBackup(admin, await exportBackup(admin));
      }
      const { items } = await list();
      return { path: `/api/admin/backup/snapshots/${items[0]?.id}${rest}` };
    },
  };
}

/** Tool results of an answer without calls. */
export const callOfAnswer: Row = {
  answers: unknown,
  send: ({ answerId }) => ({ path: `/api/messages/${answerId}/calls/0` }),
};

/** Embedding of an app that is not embeddable. */
export const embedRows = {
  handOver: at(unknown, '/api/embed/chat/hand-over', { json: { challenge: 'x'.repeat(43) } }),
  signIn: at([401, 401, 401, 401], '/api/embed/chat/sign-in', {
    json: { code: 'none', verifier: 'x'.repeat(43) },
  }),
};

/** Resources of MCP servers; there are none. */
export const resourceRows = {
  list: at(ownGroup, '/api/apps/chat/resources'),
  attach: at(unknown, '/api/apps/chat/resources', { json: { server: 'none', uri: 'a:b' } }),
};
