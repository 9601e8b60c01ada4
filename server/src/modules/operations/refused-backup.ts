import type { Problem } from '@knowhow/shared/problem';
import {
  type ArchiveIssue,
  collectIssues,
  createRejection,
  type IssueCollector,
} from '../skills/index.ts';

const sentence = (reason: string) => `The backup is refused, and nothing was changed. ${reason}`;

/** Collects the issues of a backup. */
export function collectBackupFaults(): IssueCollector {
  return collectIssues(sentence);
}

/** The problem for a backup that is rejected for a single reason. */
export function refusedBackup(fault: ArchiveIssue): Problem {
  return createRejection(fault, sentence);
}
