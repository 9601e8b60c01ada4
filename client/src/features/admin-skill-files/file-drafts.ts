import { z } from 'zod';

const draftSchema = z.object({
  /** The server's version of the file that the changes are based on. */
  base: z.string(),
  text: z.string(),
  /** A revision of the skill in which the file was `base`, for `If-Match`. */
  checksum: z.string(),
});
/** Unsaved changes of a file. */
export type Draft = z.infer<typeof draftSchema>;

export const draftsSchema = z.record(z.string(), draftSchema);
/** By file path. Contains only files that differ from the server. */
export type Drafts = Readonly<Record<string, Draft>>;

export function withDraft(drafts: Drafts, path: string, draft: Draft): Drafts {
  const others = withoutDraft(drafts, path);
  return draft.text === draft.base ? others : { ...others, [path]: draft };
}

export function withoutDraft(drafts: Drafts, path: string): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== path));
}

/** Renames the path of a draft after the file was moved. */
export function withMovedDraft(drafts: Drafts, from: string, to: string): Drafts {
  const moved = drafts[from];
  return moved ? withDraft(withoutDraft(drafts, from), to, moved) : drafts;
}

/** Our own write created the next revision; drafts based on the previous one remain valid. */
export function rebaseDrafts(drafts: Drafts, from: string, to: string): Drafts {
  return Object.fromEntries(
    Object.entries(drafts).map(([path, draft]) => [
      path,
      draft.checksum === from ? { ...draft, checksum: to } : draft,
    ]),
  );
}
