/** A file of a skill in memory. */
export interface PackedFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}
