/** The words for what the server calls an action. */
const words = {
  create: 'audit.actions.created',
  created: 'audit.actions.created',
  update: 'audit.actions.changed',
  delete: 'audit.actions.deleted',
  deleted: 'audit.actions.deleted',
  'reset-password': 'audit.actions.passwordReset',
  'password-changed': 'audit.actions.passwordChanged',
  'sign-in-moved': 'audit.actions.signInMoved',
  'signed-in': 'audit.actions.signedIn',
  'signed-out': 'audit.actions.signedOut',
  'key-entered': 'audit.actions.keyEntered',
  'key-removed': 'audit.actions.keyRemoved',
  invited: 'audit.actions.invited',
  'invitation-revoked': 'audit.actions.invitationRevoked',
  ended: 'audit.actions.sessionEnded',
  'ended-others': 'audit.actions.otherSessionsEnded',
  'second-factor-on': 'audit.actions.factorOn',
  'second-factor-off': 'audit.actions.factorOff',
  'recovery-codes-renewed': 'audit.actions.codesRenewed',
  'sign-in-refused': 'audit.actions.signInRefused',
  shared: 'audit.actions.shared',
  revoked: 'audit.actions.revoked',
  'settings-changed': 'audit.actions.settingsChanged',
  'switched-on': 'audit.actions.switchedOn',
  'switched-off': 'audit.actions.switchedOff',
  'plugin-changed': 'audit.actions.pluginChanged',
  'plugin-deleted': 'audit.actions.pluginDeleted',
  'file-written': 'audit.actions.fileWritten',
  'file-removed': 'audit.actions.fileRemoved',
  'file-moved': 'audit.actions.fileMoved',
  fixed: 'audit.actions.fixed',
  'triggers-tested': 'audit.actions.triggersTested',
  'trace-read': 'audit.actions.traceRead',
  // As earlier releases stored it.
  mended: 'audit.actions.fixed',
  imported: 'audit.actions.imported',
  duplicated: 'audit.actions.duplicated',
  restored: 'audit.actions.restored',
  assigned: 'audit.actions.assigned',
  unassigned: 'audit.actions.unassigned',
} as const;

type Words = (typeof words)[keyof typeof words];

/** An action that came later than this list has no words, and is shown as it is. */
export const auditActions: ReadonlyMap<string, Words> = new Map(Object.entries(words));
