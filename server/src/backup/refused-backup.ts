import type { Problem } from '@knowhow/shared/problem';
import { type CollectedFaults, collectFaults, refusalOf } from '../archives/collect-faults.ts';
import type { Fault } from '../archives/unpack-faults.ts';

const sentence = (reason: string) => `The backup is refused, and nothing was changed. ${reason}`;

/** Collects the issues of a backup. */
export function collectBackupFaults(): CollectedFaults {
  return collectFaults(sentence);
}

/** The problem for a backup that is rejected for a single reason. */
export function refusedBackup(fault: Fault): Problem {
  return refusalOf(fault, sentence);
}
