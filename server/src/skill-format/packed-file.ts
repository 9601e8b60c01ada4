/** One file of a skill, in memory: on its way into or out of an archive, or to the disk. */
export interface PackedFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}
