/** The parent folder of a path with forward slashes; '' for the root. */
export function parentFolder(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
