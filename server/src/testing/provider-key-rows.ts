import { forAdmins } from './access-row.ts';

/** Endpoints of provider API keys: set, then deleted. */
export const providerKeyRows = {
  providerKeys: {
    list: forAdmins('provider-keys'),
    set: forAdmins('provider-keys/SPARE_API_KEY', { key: 'not-a-real-key' }),
    remove: forAdmins('provider-keys/SPARE_API_KEY'),
  },
};
