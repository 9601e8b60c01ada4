import { noPreferences } from '@knowhow/shared/preferences';
import { at, ownGroup, signedIn } from './access-row.ts';

/** Of what people write for themselves. */
export const ownRows = {
  preferences: {
    get: at(signedIn, '/api/account/preferences'),
    set: at(signedIn, '/api/account/preferences', { json: noPreferences }),
  },
  appVariables: {
    get: at(ownGroup, '/api/apps/chat/variables'),
    set: at(ownGroup, '/api/apps/chat/variables', { json: { values: {} } }),
  },
};
