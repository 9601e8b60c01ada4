/** The dialogs of the user menu. */
export type MenuDialog =
  | 'apiKeys'
  | 'connections'
  | 'consents'
  | 'imports'
  | 'keys'
  | 'notices'
  | 'ownPrompts'
  | 'password'
  | 'preferences'
  | 'security'
  | 'shares'
  | 'usage';
