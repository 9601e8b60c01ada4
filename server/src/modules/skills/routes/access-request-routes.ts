import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { libraryApi } from '@knowhow/shared/skills/library';
import { listTranslatedTexts, localizeSkill } from '@knowhow/shared/skills/skill-translations';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import type { Caller } from '../../identity/index.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { SkillOwners } from '../owners/skill-owners.ts';
import { listRequestable, type RequestableSkill } from '../requestable-skills.ts';
import { type SkillDependencies, unavailableSkill } from './skill-routes.ts';

interface Dependencies extends SkillDependencies {
  inbox: Inbox;
  owners: SkillOwners;
}

/** Skills that are available on request, and requests for access to them. */
export function accessRequestRoutes(
  router: Router,
  { contents, inbox, owners, skills }: Dependencies,
): void {
  const listFor = ({ anonymous, permissions }: Caller, language: string) =>
    anonymous
      ? []
      : listRequestable(skills.snapshot, contents().skills, {
          grant: permissions.skills,
          language,
        });

  route(router, libraryApi.requestable, async ({ caller, query, language }) => {
    const page = paginate(listFor(caller, language).filter(matchesWords(query.query ?? '')), query);
    const [ownersByName, requested] = await Promise.all([
      owners.findAll(page.items.map(({ name }) => name)),
      inbox.findRequested(caller.id),
    ]);
    return {
      ...page,
      items: page.items.map((skill) => ({
        ...skill,
        owner: ownersByName.get(skill.name)?.name,
        isRequested: requested.has(skill.name),
      })),
    };
  });

  route(router, libraryApi.request, async ({ caller, params, body, language }) => {
    rejectGuest(caller, 'A guest cannot request access.');
    const skill = listFor(caller, language).find(({ name }) => name === params.name);
    if (!skill) {
      throw unavailableSkill(params.name);
    }
    await inbox.add({
      skill: await owners.identify(skill.name),
      kind: 'access',
      user: caller.id,
      title: withoutHiddenCharacters(localizeSkill(skill, language).title),
      comment: body.message,
    });
  });
}

/** Whether a skill's name or description, in any language, contains each word of a search. */
function matchesWords(search: string): (skill: RequestableSkill) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, displayName, description, translations }) => {
    const translated = listTranslatedTexts(translations);
    const text = [name, displayName, description, ...translated].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
