import type { RestorePlan } from '@knowhow/shared/config/backup';
import type { UnpackedFile } from '../archives/unpack-members.ts';
import type { DataTable } from './data-tables.ts';
import type { LeftOut } from './list-tree.ts';
import type { Withheld } from './manifest.ts';

/** What can be restored: an unpacked backup, or a former state. */
export interface BackupSource {
  format: RestorePlan['format'];
  createdAt: string | undefined;
  app: string | undefined;
  /** Holds `contents/` and `data/`. */
  directory: string;
  /** What belongs into `contents/`, by path. Those that turn out to have no use are taken out. */
  files: Map<string, UnpackedFile>;
  /** Parts, or single items: what is restored unless something else is chosen. */
  names: string[];
  /** It is a former state: what it names and does not hold was not there. */
  isExact: boolean;
  /** Which rows it has, and how many. */
  rows: Map<DataTable, number>;
  /** Users are added to those that are there, or replace them by name. */
  addsUsers: boolean;
  notUsed: RestorePlan['notUsed'];
  /** What lay there when it was made, and is not in it. */
  leftOut: readonly LeftOut[];
  /** The secrets that are not in it. */
  withheld: readonly Withheld[];
  warnings: string[];
}
