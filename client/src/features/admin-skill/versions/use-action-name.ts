import { useTranslation } from 'react-i18next';

/** Returns the label of an action; an unknown action keeps the server's name. */
export function useActionName(): (action: string) => string {
  const { t } = useTranslation();
  return (action) =>
    Object.hasOwn(names, action) ? t(names[action as keyof typeof names]) : action;
}

const names = {
  found: 'skillPage.action.found',
  created: 'skillPage.action.created',
  duplicated: 'skillPage.action.duplicated',
  imported: 'skillPage.action.imported',
  merged: 'skillPage.action.merged',
  'file-written': 'skillPage.action.fileWritten',
  'file-removed': 'skillPage.action.fileRemoved',
  'file-moved': 'skillPage.action.fileMoved',
  fixed: 'skillPage.action.fixed',
  'fields-changed': 'skillPage.action.fieldsChanged',
  // Stored by earlier releases.
  mended: 'skillPage.action.fixed',
  'triggers-tested': 'skillPage.action.triggersTested',
  published: 'skillPage.action.published',
  restored: 'skillPage.action.restored',
  deleted: 'skillPage.action.deleted',
  'settings-changed': 'skillPage.action.settingsChanged',
  'switched-on': 'skillPage.action.switchedOn',
  'switched-off': 'skillPage.action.switchedOff',
  'owner-changed': 'skillPage.action.ownerChanged',
  'review-date-changed': 'skillPage.action.reviewDateChanged',
  assigned: 'skillPage.action.assigned',
  unassigned: 'skillPage.action.unassigned',
} as const;
