/** In the folder of local skills: what is on its way in or out. */
export const stagingFolder = '.knowhow-staging';

/** Folders that are never looked into. */
export const skippedFolders: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '__pycache__',
  stagingFolder,
]);
