import type { Problem } from '@knowhow/shared/problem';
import { type CollectedFaults, collectFaults, refusalOf } from '../archives/collect-faults.ts';
import type { Fault } from '../archives/unpack-faults.ts';

const sentence = (reason: string) => `The backup is refused, and nothing was changed. ${reason}`;

/** Collects what is wrong with a backup. */
export function collectBackupFaults(): CollectedFaults {
  return collectFaults(sentence);
}

/** A backup that is refused because of one thing. */
export function refusedBackup(fault: Fault): Problem {
  return refusalOf(fault, sentence);
}
