import { everyRight, type HeldRights } from '@knowhow/shared/access/admin-rights';
import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import type { Quota } from '@knowhow/shared/access/quotas';
import type { PersonalSkillLevel } from '@knowhow/shared/skills/personal-skills';

/** The principal: the user or program that makes a request, and its permissions. Computed for every request. */
export interface Caller {
  /** Owns conversations. `anonymous:<uuid>` for a visitor without an account. */
  id: string;
  name: string;
  groups: string[];
  anonymous: boolean;
  permissions: Permissions;
  /** False for a visitor who must sign in first. */
  mayUse: boolean;
  /** Scopes of the API key in use; undefined for a session. */
  scopes?: ReadonlySet<KeyScope>;
  /** The API key in use. */
  key?: { id: string; quota?: Quota | undefined };
  /** A service key: no person can be asked for approval. */
  isService?: true;
  /** The id of the app, if the caller uses it embedded in another site. */
  embeddedIn?: string;
}

/** A caller's permissions of each kind: the union over all groups. Deny by default. */
export interface Permissions {
  apps: Grant;
  models: Grant;
  prompts: Grant;
  skills: SkillGrant;
  tools: Grant;
  personalSkills: PersonalSkillLevel;
  /** Admin rights; those on the skills of a category as `skill-author:<key of the category>`. */
  adminAccess: Grant;
}

/** Everything, or these ids and all skills of these categories, by `categoryKey`. */
export type SkillGrant =
  | Grant
  | { readonly ids: ReadonlySet<string>; readonly categories: ReadonlySet<string> };

/** Everything, or these ids. */
export type Grant = 'all' | ReadonlySet<string>;

/** Rights in the API's form: a single `*` means all. */
export function rightsListed(rights: Grant): HeldRights {
  return rights === 'all' ? [everyRight] : ([...rights] as HeldRights).sort();
}
