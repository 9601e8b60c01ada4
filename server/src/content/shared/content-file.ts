/** What a file of `contents/` is: all that nodes compare. */
export interface ContentFile {
  sha256: string;
  executable: boolean;
}

/** By path from `contents/`, such as `apps/chat.json`. */
export type ContentFiles = ReadonlyMap<string, ContentFile>;

export interface ContentChange {
  path: string;
  before: ContentFile | undefined;
  after: ContentFile | undefined;
}

/** What makes one of the other, in the order of paths. */
export function changesBetween(before: ContentFiles, after: ContentFiles): ContentChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter(
      ({ before: one, after: other }) =>
        one?.sha256 !== other?.sha256 || one?.executable !== other?.executable,
    );
}
