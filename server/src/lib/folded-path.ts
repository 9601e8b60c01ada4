/** The same for paths that some file system takes for the same: whatever their case and accents' form. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}
