/** Limits for scanning a source. Skipped folders are counted and reported. */
export interface ScanLimits {
  /** Maximum depth of folders below the root. */
  readonly maxDepth: number;
  /** Maximum number of folders in a source, without the root. */
  readonly maxFolders: number;
}

/** Sufficient for the largest public collections of skills. */
export const defaultScanLimits: ScanLimits = { maxDepth: 12, maxFolders: 200_000 };

/** Skipped folders by reason; their contents are unknown. */
export interface LeftOut {
  readonly tooDeep: number;
  readonly tooMany: number;
  /** Paths of unreadable folders, in order. */
  readonly closed: readonly string[];
  /** Paths of plugin files and typed skills, which are not read here, in order. */
  readonly foreign: readonly string[];
  /** Paths of links that lead out of the source, nowhere, or to a parent folder, in order. */
  readonly links: readonly string[];
}
