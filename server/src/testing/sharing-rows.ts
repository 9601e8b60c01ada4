import { sharingApi } from '@knowhow/shared/sharing';
import { at, ownConversation, type Row, signedIn, unknown } from './access-row.ts';
import { parseAnswer } from './parse-answer.ts';

/** Links to conversations. */
export const sharingRows = {
  get: ownConversation('/share'),
  share: ownConversation('/share', { files: true, details: true, isPublic: false }),
  list: at(signedIn, '/api/account/shares'),
  read: ofLink(''),
  file: at([404, 404, 404, 404], '/api/shared/none/files/none'),
  revoke: at(unknown, '/api/account/shares/none'),
};

/** What a link of the user's shows: to everybody who is signed in. */
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
