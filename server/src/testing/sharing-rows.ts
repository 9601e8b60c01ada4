import { randomUUID } from 'node:crypto';
import { sharingApi } from '@knowhow/shared/chat/sharing';
import {
  at,
  ownAnswer,
  ownConversation,
  ownGroup,
  type Row,
  signedIn,
  unknown,
} from './access-row.ts';
import { parseAnswer } from './parse-answer.ts';

/** Endpoints of shared links. */
export const sharingRows = {
  get: ownConversation('/share'),
  share: ownConversation('/share', { files: true, details: true, isPublic: false }),
  list: at(signedIn, '/api/account/shares'),
  read: ofLink(''),
  file: at([404, 404, 404, 404], '/api/shared/none/files/none'),
  revoke: at(unknown, '/api/account/shares/none'),
};

const exported = JSON.stringify({
  format: 'knowhow-conversation',
  version: 1,
  id: 'x',
  title: 'X',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  messages: [{ role: 'user', content: 'Hello', createdAt: '2026-01-01T00:00:00Z' }],
});
const noImport = '/api/imports/5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01';

/** Endpoints of importing conversations. */
export const importRows = {
  plan: at(signedIn, '/api/imports/plan', { body: exported }),
  list: at(signedIn, '/api/imports'),
  progress: at(unknown, noImport),
  undo: at(unknown, noImport),
  import: {
    answers: ownGroup,
    send: () => ({ path: `/api/imports/${randomUUID()}?app=chat`, body: exported }),
  },
} satisfies Record<string, Row>;

const noItem = `/api/inbox/${randomUUID()}`;

/** Endpoints of the inbox. */
export const inboxRows = {
  suggest: ownAnswer('/suggestion', { skill: 'meeting-notes', comment: 'Be brief.' }),
  summary: at(signedIn, '/api/inbox/summary'),
  list: at(signedIn, '/api/inbox'),
  comments: at(signedIn, '/api/inbox/comments'),
  readComments: at(signedIn, '/api/inbox/comments/read', { json: { ids: [randomUUID()] } }),
  close: at(unknown, `${noItem}/close`, { json: {} }),
  groups: at(unknown, `${noItem}/groups`),
  grant: at(unknown, `${noItem}/grant`, { json: { group: 'staff' } }),
};

/** Skills that need attention. */
export const attentionRows = {
  list: at(signedIn, '/api/skill-attention'),
  review: at([401, 404, 404, '2xx'], '/api/skill-attention/spare/review-date', {
    json: { reviewBy: '2030-01-01' },
  }),
};

/** Content of a user's link, visible to everyone signed in. */
function ofLink(rest: string): Row {
  return {
    answers: [404, '2xx', '2xx', '2xx'],
    send: async ({ visitors, conversationId }) => {
      const json = { files: true, details: true, isPublic: false };
      const sent = visitors.user(`/api/conversations/${conversationId}/share`, { json });
      const { path } = await parseAnswer(sharingApi.share.response, sent);
      return { path: `/api${path}${rest}` };
    },
  };
}
