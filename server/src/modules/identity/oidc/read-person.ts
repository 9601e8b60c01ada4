import { isRecord } from '@knowhow/shared/is-record';
import { normalizeUsername } from '../usernames.ts';
import type { OidcProvider } from './oidc-providers.ts';

/** Profile data from a provider, validated and sanitized. */
export interface Person {
  subject: string;
  /** Preferred username, if it is free. */
  username: string;
  /** Display name. */
  name: string;
  /** Only if the provider has verified it. */
  email: string | undefined;
  /** Groups as the provider names them. */
  groups: string[];
  /** Claims that were ignored or changed. */
  notes: ClaimNote[];
}

const claimNotes = [
  /** The groups claim is missing. */
  'no-groups',
  /** The groups claim is neither a string nor a list of strings and was ignored. */
  'groups-not-texts',
  /** The provider omitted the groups because there are too many, as Entra ID does. */
  'groups-left-out',
  'email-not-verified',
  /** Invisible characters were removed from the name. */
  'name-cleaned',
] as const;
export type ClaimNote = (typeof claimNotes)[number];

/** Claims that cannot be accepted at all. */
export class ClaimsRefused extends Error {}

type Claims = Readonly<Record<string, unknown>>;
type Reading = Pick<OidcProvider, 'groupsAttribute' | 'nameAttribute'>;

const maxSubject = 500;
const maxName = 200;
const maxUsername = 80;
const maxGroups = 5000;
const maxGroupName = 300;

/** Throws `ClaimsRefused` with a message for administrators. */
export function readPerson(claims: Claims, { groupsAttribute, nameAttribute }: Reading): Person {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > maxSubject || invisible.test(sub)) {
    throw new ClaimsRefused(
      'The claim "sub", which identifies people, is missing or is not plain text.',
    );
  }
  const written = firstText(
    claimAt(claims, nameAttribute),
    claims.preferred_username,
    claims.email,
  );
  const name = cleanName(written ?? '', maxName) || cleanName(sub, maxName) || 'Unnamed';
  const email = emailOf(claims);
  const { groups, note } = groupsIn(claims, groupsAttribute);
  const notes: (ClaimNote | undefined)[] = [
    note,
    email === undefined && typeof claims.email === 'string' ? 'email-not-verified' : undefined,
    written !== undefined && name !== written.slice(0, maxName) ? 'name-cleaned' : undefined,
  ];
  return {
    subject: sub,
    username: usernameOf(firstText(claims.preferred_username, claims.email) ?? name),
    name,
    email,
    groups,
    notes: notes.filter((each) => each !== undefined),
  };
}

/**
 * A claim by name or by path, such as `realm_access.roles`. Claims with dots in their names come
 * first.
 */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) {
    return claims[path];
  }
  let value: unknown = claims;
  for (const step of path.split('.')) {
    value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function groupsIn(claims: Claims, path: string): { groups: string[]; note?: ClaimNote } {
  const value = claimAt(claims, path);
  if (value === undefined || value === null) {
    const names = claims._claim_names;
    const isLeftOut = isRecord(names) && Object.hasOwn(names, path);
    return { groups: [], note: isLeftOut ? 'groups-left-out' : 'no-groups' };
  }
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || !list.every((each) => typeof each === 'string')) {
    return { groups: [], note: 'groups-not-texts' };
  }
  if (list.length > maxGroups || list.some((each) => each.length > maxGroupName)) {
    throw new ClaimsRefused(
      `The claim "${path}" has more than ${maxGroups} groups, or a name of more than ${maxGroupName} characters.`,
    );
  }
  return { groups: [...new Set(list as string[])] };
}

/** Some providers send `email_verified` as a string. */
function emailOf({ email, email_verified }: Claims): string | undefined {
  const isVerified = email_verified === true || email_verified === 'true';
  const isAddress =
    typeof email === 'string' && /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,250}$/u.test(email);
  return isVerified && isAddress ? email.toLowerCase() : undefined;
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** Control characters, and characters that reverse or hide the text around them. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

function cleanName(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 4)
    .normalize('NFC')
    .replace(new RegExp(invisible, 'gu'), '');
  return [...line.replace(/\s+/gu, ' ').trim()].slice(0, maxLength).join('');
}

function usernameOf(text: string): string {
  const line = normalizeUsername(cleanName(text, maxUsername));
  return line.replace(/\s+/g, '-') || 'user';
}
