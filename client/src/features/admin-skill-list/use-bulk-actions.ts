import type { AdminSkill } from '@knowhow/shared/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { skillHistoryApi } from '@knowhow/shared/skill-history';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { useBulk } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

/** Where chosen skills are to be offered, or who shall get them. */
export interface Target {
  kind: 'apps' | 'groups';
  id: string;
  name: string;
}

/** What can be done to all chosen skills at once. */
export function useBulkActions(selection: Selection) {
  const { t } = useTranslation();
  const { run, ...state } = useBulk(selection);
  const showUndo = useUndoToast();

  function tell(message: string) {
    notifications.show({ message, closeButtonProps: { 'aria-label': t('action.close') } });
  }

  async function switchAll(skills: AdminSkill[], isOn: boolean, isUndo = false) {
    const wanted = skills.filter(({ status }) => (status === 'on') !== isOn);
    const done = await run(
      t(isOn ? 'skillList.switchingOn' : 'skillList.switchingOff'),
      wanted,
      ({ name }) => call(adminSkillsApi.update, { params: { name }, body: { enabled: isOn } }),
    );
    const count = skills.length - wanted.length + done.length;
    const message = t(isOn ? 'skillList.areOn' : 'skillList.areOff', { count });
    if (done.length > 0 && !isUndo) {
      const after = done.map((skill) => ({ ...skill, status: isOn ? 'on' : 'off' }) as const);
      showUndo({ message, undo: () => switchAll(after, !isOn, true) });
    } else if (count > 0) {
      tell(message);
    }
  }

  async function assign({ kind, id, name }: Target) {
    const done = await run(t('skillList.assigning', { name }), selection.skills, (skill) =>
      assignOne(skill.name, kind, id),
    );
    if (done.length > 0) {
      tell(t('skillList.assigned', { count: done.length, name }));
    }
  }

  async function restore(deleted: ReadonlyMap<AdminSkill, number>) {
    await run(t('skillList.restoring'), [...deleted.keys()], (skill) =>
      call(skillHistoryApi.restore, {
        params: { name: skill.name, revision: deleted.get(skill) ?? 1 },
      }),
    );
  }

  async function remove(skills: AdminSkill[]) {
    const deleted = new Map<AdminSkill, number>();
    await run(t('skillList.deleting'), skills, async (skill) => {
      const { name, checksum } = skill;
      const input = { params: { name } };
      const { restorable } = await call(adminSkillsApi.remove, input, { ifMatch: checksum });
      deleted.set(skill, restorable);
    });
    if (deleted.size > 0) {
      const message = t('skillList.deleted', { count: deleted.size });
      showUndo({ message, undo: () => restore(deleted) });
    }
  }

  return { ...state, switchAll, assign, remove };
}

/** Adds one app or group to those that name the skill itself; the others stay as they are. */
async function assignOne(name: string, kind: Target['kind'], id: string): Promise<void> {
  const skill = await call(adminSkillsApi.get, { params: { name } });
  const own = { apps: skill.listedInApps, groups: skill.grantedByGroups }[kind];
  if (!own.includes(id)) {
    await call(adminSkillsApi.update, { params: { name }, body: { [kind]: [...own, id] } });
  }
}
