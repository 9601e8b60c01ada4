/** The properties of a file in `contents/` that nodes compare. */
export interface ContentFile {
  sha256: string;
  executable: boolean;
}

/** By path relative to `contents/`, such as `apps/chat.json`. */
export type ContentFiles = ReadonlyMap<string, ContentFile>;

export interface ContentChange {
  path: string;
  before: ContentFile | undefined;
  after: ContentFile | undefined;
}

/** The changes from one state to another, sorted by path. */
export function diffContents(before: ContentFiles, after: ContentFiles): ContentChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter(
      ({ before: one, after: other }) =>
        one?.sha256 !== other?.sha256 || one?.executable !== other?.executable,
    );
}
