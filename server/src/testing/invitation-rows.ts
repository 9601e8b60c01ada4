import { at, forAdmins } from './access-row.ts';

const token = 'none';
const person = { username: 'new', name: 'New', password: 'seven calm herons' };

/** Endpoints of invitations, called for an unknown invitation. */
export const invitationRows = {
  invitations: {
    list: forAdmins('invitations'),
    create: forAdmins('invitations', { note: 'Ann', groups: ['staff'], expiresInDays: 7 }),
    remove: at([401, 403, 403, 404], '/api/admin/invitations/none'),
    find: at([404, 404, 404, 404], '/api/invitations/find', { json: { token } }),
    accept: at([404, 404, 404, 404], '/api/invitations/accept', { json: { token, ...person } }),
  },
};
