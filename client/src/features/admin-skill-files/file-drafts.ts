import { z } from 'zod';

const draftSchema = z.object({
  /** The file on the server that the changes began from. */
  base: z.string(),
  text: z.string(),
  /** A state of the skill in which the file was `base`: what `If-Match` takes. */
  checksum: z.string(),
});
/** Changes of a file that are not saved yet. */
export type Draft = z.infer<typeof draftSchema>;

export const draftsSchema = z.record(z.string(), draftSchema);
/** By the file's path. Only files that differ from the server's are among them. */
export type Drafts = Readonly<Record<string, Draft>>;

export function withDraft(drafts: Drafts, path: string, draft: Draft): Drafts {
  const others = withoutDraft(drafts, path);
  return draft.text === draft.base ? others : { ...others, [path]: draft };
}

export function withoutDraft(drafts: Drafts, path: string): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== path));
}

/** The file has another path now. */
export function withMovedDraft(drafts: Drafts, from: string, to: string): Drafts {
  const moved = drafts[from];
  return moved ? withDraft(withoutDraft(drafts, from), to, moved) : drafts;
}

/** A write of our own led from one state of the skill to the next; what was known of it still holds. */
export function movedOn(drafts: Drafts, from: string, to: string): Drafts {
  return Object.fromEntries(
    Object.entries(drafts).map(([path, draft]) => [
      path,
      draft.checksum === from ? { ...draft, checksum: to } : draft,
    ]),
  );
}
