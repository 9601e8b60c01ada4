import type { ArchiveIssue, ReportIssue } from './unpack-faults.ts';

/** An entry of an archive. Its name is decoded, but not validated. */
export type UnpackEntry = MemberEntry | { name: string; kind: 'folder' };
export type MemberEntry = FileEntry | LinkEntry;

export interface FileEntry {
  name: string;
  kind: 'file';
  executable: boolean;
  /** In bytes, as declared by the archive. */
  size: number;
  /** The content; undefined after an issue has been reported. */
  read(report: ReportIssue): Uint8Array | undefined;
}

export interface LinkEntry {
  name: string;
  kind: 'link';
  /** Relative to the folder of the link or, for a hard link, to the root of the archive. */
  target: string;
  isHard: boolean;
}

/** An entry that cannot be read. It is reported if it belongs to a skill. */
export function createBrokenEntry(name: string, fault: ArchiveIssue): FileEntry {
  const read = (report: ReportIssue) => {
    report(name, fault);
    return undefined;
  };
  return { name: name.replace(/\/$/, ''), kind: 'file', executable: false, size: 0, read };
}
