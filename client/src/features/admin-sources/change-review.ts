import type { ProposedChange } from '@knowhow/shared/skills/skill-sources';

/** How a proposed change relates to the skills here. */
type ChangeState =
  | 'new'
  | 'changed'
  | 'renamed'
  /** Changed in the source, and edited here. */
  | 'edited'
  /** Another skill has its name. */
  | 'nameTaken'
  | 'removed'
  | 'rejected';

/** How proposed changes are grouped and found. */
export const changeReview = {
  states: [
    ...(['new', 'changed', 'renamed', 'edited', 'conflicts'] as const),
    ...(['nameTaken', 'removed', 'rejected', 'findings'] as const),
  ],
  getStates: (change: ProposedChange) => [
    getChangeState(change),
    ...(change.accepted && (change.merge?.conflicts ?? 0) > 0 ? ['conflicts' as const] : []),
    ...(hasFindings(change) ? ['findings' as const] : []),
  ],
  getText: ({ name, nameBefore = '', path, pathBefore = '', description }: ProposedChange) =>
    [name, nameBefore, path, pathBefore, description].join('\n'),
};

/** `rejected` is a skill that cannot be taken. */
function getChangeState({ accepted, conflict, kind }: ProposedChange): ChangeState {
  if (!accepted) {
    return 'rejected';
  }
  if (kind === 'removed') {
    return 'removed';
  }
  if (conflict) {
    return conflict === 'edited' ? 'edited' : 'nameTaken';
  }
  return kind === 'added' ? 'new' : kind;
}

/** Whether checks or errors say something against a change. */
function hasFindings({ diagnostics, failedChecks }: ProposedChange): boolean {
  return failedChecks.length > 0 || diagnostics.some(({ severity }) => severity === 'error');
}

/** Names of the groups, with their numbers. */
export const changeStateTexts = {
  new: 'skillImport.states.new',
  changed: 'skillImport.states.changed',
  renamed: 'sources.states.renamed',
  edited: 'sources.states.edited',
  conflicts: 'sources.states.conflicts',
  nameTaken: 'sources.states.nameTaken',
  removed: 'sources.states.removed',
  rejected: 'skillImport.states.rejected',
  findings: 'skillImport.states.findings',
} as const;
