/** Normalizes a path for comparison on case-insensitive and Unicode-normalizing file systems. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}
