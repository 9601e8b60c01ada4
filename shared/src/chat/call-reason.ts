/**
 * Reasons in `summary` of a tool call that was denied or returned nothing. The client translates
 * each.
 */
export type CallReason =
  | 'already active'
  | 'arguments too long'
  | 'called before'
  | 'cannot be read'
  | 'no such category'
  | 'no such file'
  | 'no such page'
  | 'no such tool'
  | 'not allowed'
  | 'not active'
  | 'not signed in'
  | 'not available'
  | 'nothing found'
  | 'too many active skills'
  | 'failed'
  | 'stopped'
  | 'took too long'
  | 'too many calls'
  | 'wrong arguments';
