import { forAdmins } from './access-row.ts';

/** Of keys of providers: entered, and then forgotten. */
export const providerKeyRows = {
  providerKeys: {
    list: forAdmins('provider-keys'),
    set: forAdmins('provider-keys/SPARE_API_KEY', { key: 'not-a-real-key' }),
    remove: forAdmins('provider-keys/SPARE_API_KEY'),
  },
};
