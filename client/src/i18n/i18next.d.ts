import type admin from '../../../locales/en/admin.json';
import type chat from '../../../locales/en/chat.json';
import type common from '../../../locales/en/common.json';
import type skills from '../../../locales/en/skills.json';
import type tools from '../../../locales/en/tools.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    // A key is looked up in all namespaces.
    resources: {
      common: typeof common & typeof chat & typeof admin & typeof skills & typeof tools;
    };
  }
}
