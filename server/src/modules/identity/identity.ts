import { z } from 'zod';

/** A user, as named in the audit log. */
export interface NamedUser {
  id: string;
  name: string;
  username: string;
}

export const directorySchema = z.strictObject({
  /** Name of the provider in the settings, and its title at the time of sign-in. */
  provider: z.string(),
  title: z.string(),
  /** Verified by the provider. */
  email: z.string().optional(),
  /** Ids of our groups that the provider grants. */
  groups: z.array(z.string()),
  at: z.iso.datetime(),
});
/** The profile that the identity provider reported at the last sign-in. */
export type Directory = z.infer<typeof directorySchema>;

/**
 * The key that links an account to a provider: issuer and subject, which users cannot choose.
 * Issuers contain no blanks.
 */
export function identityKey(issuer: string, subject: string): string {
  return `${issuer} ${subject}`;
}

export function parseDirectory(row: { directory: string | null }): Directory | undefined {
  return row.directory === null ? undefined : (JSON.parse(row.directory) as Directory);
}

/** All groups of a user: assigned by an admin or granted by the identity provider. */
export function getUserGroups(row: { groups: string; directory: string | null }): string[] {
  const own = JSON.parse(row.groups) as string[];
  return [...new Set([...own, ...(parseDirectory(row)?.groups ?? [])])];
}
