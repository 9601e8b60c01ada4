import { z } from 'zod';

/** Somebody with an account, as the audit log names them. */
export interface NamedUser {
  id: string;
  name: string;
  username: string;
}

export const directorySchema = z.strictObject({
  /** The provider's name in the settings, and what it was called. */
  provider: z.string(),
  title: z.string(),
  /** Verified there. */
  email: z.string().optional(),
  /** Ids of our groups that it has given. */
  groups: z.array(z.string()),
  at: z.iso.datetime(),
});
/** What was said of somebody where they last signed in. */
export type Directory = z.infer<typeof directorySchema>;

/** What an account is joined by: nothing that anybody can choose. No issuer has a blank in it. */
export function identityOf(issuer: string, subject: string): string {
  return `${issuer} ${subject}`;
}

export function directoryOf(row: { directory: string | null }): Directory | undefined {
  return row.directory === null ? undefined : (JSON.parse(row.directory) as Directory);
}

/** All groups of a user: what an admin has given by hand, and what the directory gives. */
export function groupsOfUser(row: { groups: string; directory: string | null }): string[] {
  const own = JSON.parse(row.groups) as string[];
  return [...new Set([...own, ...(directoryOf(row)?.groups ?? [])])];
}
