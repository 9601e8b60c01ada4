/** What opens from the menu. */
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
