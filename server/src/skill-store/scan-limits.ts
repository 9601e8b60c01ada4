/** How much of a source of skills is looked into. What is beyond is counted, and reported. */
export interface ScanLimits {
  /** Levels of folders below the source's own. */
  readonly maxDepth: number;
  /** Folders of one source, its own not counted. */
  readonly maxFolders: number;
}

/** Deep and large enough for the largest public collections of skills. */
export const defaultScanLimits: ScanLimits = { maxDepth: 12, maxFolders: 200_000 };

/** Folders that were not looked into, by the reason; what is below them is not known. */
export interface LeftOut {
  readonly tooDeep: number;
  readonly tooMany: number;
  /** Those that may not be read: their paths, in order. */
  readonly closed: readonly string[];
  /** Files of plugins and typed skills, which are not read here: their paths, in order. */
  readonly foreign: readonly string[];
  /** Links that lead out of the source, nowhere, or to a folder that they are in: their paths, in order. */
  readonly links: readonly string[];
}
