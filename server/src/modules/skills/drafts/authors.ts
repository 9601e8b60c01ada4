import { z } from 'zod';
import { parseJson } from '../../../platform/lib/parse-json.ts';

const authorsSchema = z.array(
  z.strictObject({ id: z.string().max(300), name: z.string().max(300) }),
);
/** Everyone who changed a draft, first the one who began it. */
export type Authors = z.infer<typeof authorsSchema>;

/** Reads the column `authors`; undefined if it is invalid. */
export function parseAuthors(written: string): Authors | undefined {
  return authorsSchema.safeParse(parseJson(written)).data;
}

/** Adds an author, or updates their display name. Writes the column `authors`. */
export function addAuthor(written: string | undefined, { id, name }: Authors[number]): string {
  const known = (written === undefined ? undefined : parseAuthors(written)) ?? [];
  const isKnown = known.some((author) => author.id === id);
  const changed = known.map((author) => (author.id === id ? { id, name } : author));
  return JSON.stringify(isKnown ? changed : [...changed, { id, name }]);
}

/** The author of changes that were found in the file system. */
export const folderAuthor: Authors[number] = { id: 'file-system', name: 'File system' };

/** Whether everything was found in the file system. */
export function isOfFolderOnly(authors: Authors): boolean {
  return authors.every(({ id }) => id === folderAuthor.id);
}

/** Whether something was found in the file system. */
export function isOfFolder(authors: Authors): boolean {
  return authors.some(({ id }) => id === folderAuthor.id);
}
