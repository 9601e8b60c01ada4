/** One entry of an archive. Its name has been decoded, but may still be anything. */
export type UnpackEntry = MemberEntry | { name: string; kind: 'folder' };
export type MemberEntry = FileEntry | LinkEntry;

export interface FileEntry {
  name: string;
  kind: 'file';
  executable: boolean;
  /** In bytes, as the archive has it. */
  size: number;
  /** The content; undefined once it has been reported what is wrong with it. */
  read(): Uint8Array | undefined;
}

export interface LinkEntry {
  name: string;
  kind: 'link';
  /** Relative to the folder of the link or, for a hard link, to the root of the archive. */
  target: string;
  isHard: boolean;
}
