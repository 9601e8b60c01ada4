import type { RestorePlan } from '@knowhow/shared/config/backup';
import type { UnpackedFile } from '../skills/index.ts';
import type { LeftOut } from './list-tree.ts';
import type { Withheld } from './manifest.ts';

/** A restorable source: an unpacked backup, or a snapshot. */
export interface BackupSource {
  format: RestorePlan['format'];
  createdAt: string | undefined;
  app: string | undefined;
  /** Contains `contents/` and `data/`. */
  directory: string;
  /** Files for `contents/`, by path. Unusable ones are removed during checks. */
  files: Map<string, UnpackedFile>;
  /** Parts or single items; restored by default. */
  names: string[];
  /** Whether it is a snapshot: what it names but does not contain did not exist. */
  isExact: boolean;
  /** Tables with their number of rows. */
  rows: Map<string, number>;
  /** Whether users are added to existing ones, replacing those of the same name. */
  addsUsers: boolean;
  notUsed: RestorePlan['notUsed'];
  /** Files that existed when the backup was made but are not included. */
  leftOut: readonly LeftOut[];
  /** Secrets that are not included. */
  withheld: readonly Withheld[];
  warnings: string[];
}
