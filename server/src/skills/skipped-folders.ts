/** Folders that are never looked into. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__']);
