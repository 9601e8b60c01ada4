import { at, credentials, signedIn, unknown } from './access-row.ts';

/** Endpoints of the caller's account: password, sessions, second factor, keys and connections. */
export const accountRows = {
  account: {
    changePassword: {
      answers: signedIn,
      send: (_: unknown, caller: keyof typeof credentials) => {
        const { password } = credentials[caller];
        const json = { current: password, password: `${password}, changed` };
        return { path: '/api/account/password', json };
      },
    },
    sessions: at(signedIn, '/api/account/sessions'),
    endSession: at(unknown, '/api/account/sessions/none'),
    endOtherSessions: at(signedIn, '/api/account/sessions'),
  },
  secondFactor: {
    get: at(signedIn, '/api/account/second-factor'),
    begin: at([401, 401, 401, 401], '/api/account/second-factor', { json: { password: 'no' } }),
    confirm: at([401, 409, 409, 409], '/api/account/second-factor', { json: { code: '1' } }),
    renewRecoveryCodes: at([401, 401, 401, 401], '/api/account/second-factor/recovery-codes', {
      json: { password: 'no' },
    }),
    remove: at([401, 401, 401, 401], '/api/account/second-factor/removal', {
      json: { password: 'no' },
    }),
  },
  apiKeys: {
    list: at(signedIn, '/api/account/keys'),
    create: at(signedIn, '/api/account/keys', { json: { name: 'CI', scopes: ['skills'] } }),
    remove: at(unknown, '/api/account/keys/none'),
  },
  connections: {
    list: at(signedIn, '/api/account/connections'),
    begin: at(unknown, '/api/account/connections/none/sign-in'),
    callback: at(unknown, '/api/account/connections/callback?state=none&code=none'),
    remove: at(unknown, '/api/account/connections/none'),
    client: at([404, 404, 404, 404], '/api/oauth/client.json'),
  },
};
