/** The folder that something is in, of a path with forward slashes; '' for the one of all. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
