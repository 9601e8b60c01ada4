import { localize } from '@knowhow/shared/config/localized';
import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { problem } from '@knowhow/shared/problem';
import {
  maxRecipientChoices,
  mayShareSkills,
  mySkillsApi,
  type SkillRecipient,
} from '@knowhow/shared/skills/personal-skills';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import {
  type Caller,
  findColleagues,
  guestGroups,
  requireSkillOwner,
} from '../../identity/index.ts';
import {
  type PersonalSkills,
  type Recipient,
  recipientsChecksum,
  type SkillShares,
} from '../../skills/index.ts';
import { recordSharing, type SharingAudit } from '../record-sharing.ts';

interface Dependencies extends SharingAudit {
  contents: () => Contents;
  database: Database;
  personalSkills: Pick<PersonalSkills, 'get'>;
  skillShares: SkillShares;
}

/** Routes with which users share their skills with users and groups. */
export function sharedSkillRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, audit, contents, database, personalSkills, skillShares } = dependencies;

  const recipientsOf = async (caller: Caller, name: string) => {
    const { id, owner } = await personalSkills.get(requireSkillOwner(caller), name);
    return (await skillShares.of(owner)).get(id) ?? [];
  };

  const answer = async (recipients: readonly Recipient[], language: string) => ({
    items: await describe(dependencies, recipients, language),
    checksum: recipientsChecksum(recipients),
  });

  route(router, mySkillsApi.recipients, async ({ caller, params, language }) =>
    answer(await recipientsOf(caller, params.name), language),
  );

  route(router, mySkillsApi.share, async (call) => {
    const { caller, body } = call;
    const { name, expected } = getChangeContext(call);
    const wanted = [
      ...[...new Set(body.groups)].map((id) => ({ kind: 'group' as const, id })),
      ...[...new Set(body.users)].map((id) => ({ kind: 'user' as const, id })),
    ];
    await checkAdded(dependencies, caller, wanted, await recipientsOf(caller, name));
    const change = await skillShares.replace(caller.id, name, { recipients: wanted, expected });
    await recordSharing({ accounts, audit }, caller, change);
    return answer(change.after, call.language);
  });

  route(router, mySkillsApi.recipientChoices, async ({ caller, query, language }) => {
    requireSkillOwner(caller);
    const word = query.query?.trim().toLowerCase() ?? '';
    const wanted = { word, limit: maxRecipientChoices };
    const people = await findColleagues(database, caller, contents(), wanted);
    const groups = listOwnGroups(caller, contents())
      .flatMap((id) => describeGroup(contents(), id, language) ?? [])
      .filter(({ id, name }) => [id, name].some((each) => each.toLowerCase().includes(word)));
    return {
      items: [...groups, ...people.map(describeUser)].slice(0, maxRecipientChoices),
    };
  });
}

/**
 * Throws `forbidden` if the caller may not share, and `invalid-request` for recipients that the caller cannot choose, in
 * the same words whether they exist or not. Those that the skill is shared with already may stay.
 */
async function checkAdded(
  { contents, database }: Dependencies,
  caller: Caller,
  wanted: readonly Recipient[],
  before: readonly Recipient[],
): Promise<void> {
  const isKept = ({ kind, id }: Recipient) =>
    before.some((other) => other.kind === kind && other.id === id);
  const added = wanted.filter((recipient) => !isKept(recipient));
  if (added.length === 0) {
    return;
  }
  if (!mayShareSkills(caller.permissions.personalSkills)) {
    throw problem('forbidden', 'Your groups do not allow you to share skills.');
  }
  const ids = added.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []));
  const found = await findColleagues(database, caller, contents(), { ids, limit: ids.length });
  const colleagues = new Set(found.map(({ id }) => id));
  const groups = listOwnGroups(caller, contents());
  const issues = added
    .filter(({ kind, id }) => (kind === 'group' ? !groups.includes(id) : !colleagues.has(id)))
    .map(({ kind, id }) => ({
      path: kind === 'group' ? 'groups' : 'users',
      code: 'invalid',
      message:
        kind === 'group'
          ? `You cannot share with a group "${id}".`
          : `There is no user "${id}" in your groups who may have skills.`,
    }));
  if (issues.length > 0) {
    const message = 'Share it with groups that you are in, and with users in these groups.';
    throw problem('invalid-request', message, { issues });
  }
}

/** The groups that a user may share with: none of guests, and none of all accounts, for which a review decides. */
function listOwnGroups({ groups: own }: Caller, contents: Contents): string[] {
  const ofAll = [...contents.platform.authenticatedGroups, ...guestGroups(contents)];
  return own.filter((id) => contents.groups.has(id) && !ofAll.includes(id));
}

/** Groups first, each by name. Deleted users are left out. */
async function describe(
  { contents, database }: Dependencies,
  recipients: readonly Recipient[],
  language: string,
): Promise<SkillRecipient[]> {
  const ids = recipients.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []));
  const users =
    ids.length === 0
      ? []
      : await database.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute();
  const groups = recipients.flatMap(({ kind, id }) =>
    kind === 'group' ? (describeGroup(contents(), id, language) ?? []) : [],
  );
  return [groups, users.map(describeUser)].flatMap((some) =>
    some.sort((one, other) => one.name.localeCompare(other.name, language)),
  );
}

function describeUser({ id, name }: { id: string; name: string }): SkillRecipient {
  return { kind: 'user', id, name: withoutHiddenCharacters(name) };
}

/** Undefined for a group that does not exist. */
function describeGroup(
  { groups }: Contents,
  id: string,
  language: string,
): SkillRecipient | undefined {
  const group = groups.get(id);
  return group && { kind: 'group', id, name: localize(group.name, language) || id };
}
