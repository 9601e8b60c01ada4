/** The problem with a new path, as a translation key. */
export function validatePath(path: string, files: readonly { path: string }[]) {
  return rules.find(({ breaks }) => breaks(path, files))?.text;
}

type Breaks = (path: string, files: readonly { path: string }[]) => boolean;

/** Checks common mistakes. The server has the last word and more rules. */
const rules = [
  { text: 'skillFiles.path.empty', breaks: (path) => path === '' },
  { text: 'skillFiles.path.long', breaks: (path) => [...path].length > 256 },
  { text: 'skillFiles.path.slash', breaks: (path) => path.includes('\\') },
  { text: 'skillFiles.path.absolute', breaks: (path) => /^(\/|[A-Za-z]:)/.test(path) },
  { text: 'skillFiles.path.folder', breaks: (path) => path.endsWith('/') },
  {
    text: 'skillFiles.path.names',
    breaks: (path) => path.split('/').some((name) => /^$|[.\s]$|^\s/.test(name)),
  },
  {
    text: 'skillFiles.path.taken',
    breaks: (path, files) => files.some((file) => normalizePath(file.path) === normalizePath(path)),
  },
  {
    text: 'skillFiles.path.isFolder',
    breaks: (path, files) =>
      files.some((file) => normalizePath(file.path).startsWith(`${normalizePath(path)}/`)),
  },
  {
    text: 'skillFiles.path.isFile',
    breaks: (path, files) =>
      files.some((file) => normalizePath(path).startsWith(`${normalizePath(file.path)}/`)),
  },
] as const satisfies { text: string; breaks: Breaks }[];

/** Normalised for case-insensitive file systems. */
function normalizePath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
