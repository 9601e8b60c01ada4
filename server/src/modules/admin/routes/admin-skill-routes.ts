import { holdsRight, type SkillScope } from '@knowhow/shared/access/admin-rights';
import { severalTargets } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillBulkApi } from '@knowhow/shared/skills/skill-bulk';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Router } from 'express';
import { boundedQueue, exportLimits } from '../../../platform/http/bounded-queue.ts';
import { type Caller, rightsListed } from '../../../platform/http/caller.ts';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { recheckAccess, route } from '../../../platform/http/route.ts';
import { sendArchive } from '../../../platform/http/send-file.ts';
import type { Analytics } from '../../insights/index.ts';
import {
  countLeftOut,
  createMessage,
  getSkillSettings,
  readContent,
  writeArchive,
} from '../../skills/index.ts';
import { addOpenChanges } from '../skills/add-open-changes.ts';
import { bulkSkills } from '../skills/bulk-skills.ts';
import { changeSkill } from '../skills/change-skill.ts';
import {
  createSkill,
  duplicateSkill,
  findNameConflict,
  removeSkill,
} from '../skills/create-skill.ts';
import { describeSkill } from '../skills/describe-skill.ts';
import { describePage, findFacets, selectSkills } from '../skills/list-skills.ts';
import { findSkillNameIssue } from '../skills/new-skill-name.ts';
import { packSkills } from '../skills/pack-skills.ts';
import { skillAccess } from '../skills/skill-access.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { fieldsEdit, fixEdit } from '../skills/skill-edits.ts';
import { findEntry } from '../skills/skill-entries.ts';
import { checkSkill, scopeOf } from '../skills/skill-scope.ts';
import { countReach, previewUndo, type ReachAdmin, undoBulk } from '../skills/undo-bulk.ts';
import { updateSkill } from '../skills/update-skill.ts';
import { getSkillWrite, isOfPage, isPublisher } from './get-skill-write.ts';

export function adminSkillRoutes(
  router: Router,
  admin: ReachAdmin & { analytics: Pick<Analytics, 'recentUses'> },
): void {
  const { audit, contents, skills, index } = admin;
  const queueExport = boundedQueue(exportLimits);

  route(router, adminSkillsApi.list, async ({ query, caller }) => {
    const { ranking } = index;
    const usages = await admin.analytics.recentUses();
    const { entries, facets } = selectSkills(query, {
      admin,
      ranking,
      usages,
      scope: listedScope(caller),
    });
    const page = paginate(entries, query);
    const described = await describePage(page.items, admin, usages);
    const items = await addOpenChanges(admin, caller, described);
    return { ...page, items, facets, foldersLeftOut: countLeftOut(skills) };
  });

  route(router, adminSkillsApi.facets, ({ query, caller }) =>
    paginate(findFacets(query, skills.snapshot, contents(), listedScope(caller)), query),
  );

  route(router, adminSkillsApi.create, async (call) => {
    const created = await createSkill(admin, getSkillWrite(call), call.body);
    call.response.status(201);
    return created;
  });

  route(router, skillBulkApi.change, ({ caller, body, request }) => {
    const checkAccess = () => recheckAccess(skillBulkApi.change, request);
    const origin = { kind: isOfPage(request) ? ('page' as const) : ('api' as const) };
    const asked = { by: caller, origin, isPublisher: isPublisher(caller), checkAccess };
    return bulkSkills(admin, asked, body);
  });

  route(router, skillBulkApi.reach, ({ body }) => countReach(admin, body.names));

  route(router, skillBulkApi.previewUndo, ({ params }) => previewUndo(admin, params.entry));

  route(router, skillBulkApi.undo, ({ params, caller }) => undoBulk(admin, caller, params.entry));

  route(router, adminSkillsApi.checkName, ({ query, caller }) =>
    checkName(admin, query.name, scopeOf(caller)),
  );

  route(router, adminSkillsApi.get, async ({ params, caller }) => {
    if (listedScope(caller) === 'all') {
      return describeSkill(admin, params.name);
    }
    await checkSkill(admin, caller, params.name);
    // The skills that it hides in read-only sources may be in other categories.
    return { ...(await describeSkill(admin, params.name)), hides: [] };
  });

  route(router, adminSkillsApi.update, (call) =>
    updateSkill(admin, getChangeContext(call), call.body),
  );

  route(router, adminSkillsApi.remove, (call) => removeSkill(admin, getSkillWrite(call)));

  route(router, adminSkillsApi.duplicate, async (call) => {
    const copy = await duplicateSkill(admin, getSkillWrite(call), call.body.name);
    call.response.status(201);
    return copy;
  });

  route(router, adminSkillsApi.fix, (call) => {
    const { name } = findEntry(skills.snapshot, call.params.name);
    return changeSkill(admin, getSkillWrite(call), (writer) =>
      fixEdit(writer, name, call.body.code),
    );
  });

  route(router, adminSkillsApi.editFields, (call) =>
    changeSkill(admin, getSkillWrite(call), (writer) => fieldsEdit(writer, call.body)),
  );

  route(router, adminSkillsApi.export, async ({ params, query, caller, request, response }) => {
    const entry = findEntry(skills.snapshot, params.name);
    const format = query.format ?? 'zip';
    const bytes = await queueExport(request, async () =>
      writeArchive(
        entry.name,
        await readContent(entry, admin.sizeLimits),
        format,
        getSkillSettings(entry.name, admin.contents().skills)?.overrides?.displayName?.trim() ||
          undefined,
      ),
    );
    const what = { kind: 'skill' as const, target: entry.name, after: { format } };
    await audit.record({ by: caller, action: 'export', ...what });
    sendArchive(response, `${entry.name}.${format}`, bytes);
  });

  route(router, adminSkillsApi.exportMany, async ({ query, caller, request, response }) => {
    const bytes = await queueExport(request, () => packSkills(admin, query.names));
    const what = { kind: 'skill' as const, target: severalTargets };
    await audit.record({ by: caller, action: 'export', ...what, after: { skills: query.names } });
    sendArchive(response, 'skills.zip', bytes);
  });

  route(router, adminSkillsApi.access, ({ params, language }) =>
    skillAccess(findEntry(skills.snapshot, params.name), contents(), language),
  );
}

/** The skills that a caller lists: all of them, if they assign skills to groups or apps. */
function listedScope(caller: Caller): SkillScope {
  const held = rightsListed(caller.permissions.adminAccess);
  return holdsRight(held, ['groups', 'apps']) ? 'all' : scopeOf(caller);
}

/**
 * The nearest valid name, and why a new skill cannot use the wanted one. The place of a skill is for those who see all.
 */
async function checkName(admin: SkillAdmin, wanted: string, scope: SkillScope) {
  const name = slug(wanted);
  const nameIssue = findSkillNameIssue(name);
  const taken = nameIssue === undefined ? await findNameConflict(admin, name) : undefined;
  const issue =
    taken === undefined
      ? nameIssue
      : createMessage('name-taken', { name, location: scope === 'all' ? taken : name });
  return {
    name,
    free: issue === undefined,
    valid: findSkillNameIssue(wanted) === undefined,
    ...issue,
  };
}
