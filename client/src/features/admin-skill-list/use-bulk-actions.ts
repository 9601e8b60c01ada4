import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { type BulkChange, type BulkResult, skillBulkApi } from '@knowhow/shared/skills/skill-bulk';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useBinText } from '../../ui/use-bin-text.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { useBulk } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

/** The app or group to assign the selected skills to. */
export interface Target {
  kind: 'apps' | 'groups';
  id: string;
  name: string;
}

/** Bulk actions on the selected skills. */
export function useBulkActions(selection: Selection) {
  const { t } = useTranslation();
  const { run, runTogether, ...state } = useBulk(selection);
  const showUndo = useUndoToast();
  const binText = useBinText();

  function show(message: string) {
    notifications.show({ message, closeButtonProps: { 'aria-label': t('action.close') } });
  }

  const change = (body: BulkChange) => call(skillBulkApi.change, { body });

  async function switchAll(skills: AdminSkill[], isOn: boolean, isUndo = false) {
    const wanted = skills.filter(({ status }) => (status === 'on') !== isOn);
    const done = await runTogether(
      t(isOn ? 'skillList.switchingOn' : 'skillList.switchingOff'),
      wanted,
      () => change({ action: 'switch', names: getNames(wanted), enabled: isOn }),
    );
    const count = skills.length - wanted.length + done.length;
    const message = t(isOn ? 'skillList.areOn' : 'skillList.areOff', { count });
    if (done.length > 0 && !isUndo) {
      const after = done.map((skill) => ({ ...skill, status: isOn ? 'on' : 'off' }) as const);
      showUndo({ message, undo: () => switchAll(after, !isOn, true) });
    } else if (count > 0) {
      show(message);
    }
  }

  async function assign({ kind, id, name }: Target) {
    const { skills } = selection;
    const done = await runTogether(t('skillList.assigning', { name }), skills, () =>
      change({ action: 'assign', names: getNames(skills), kind, id }),
    );
    if (done.length > 0) {
      show(t('skillList.assigned', { count: done.length, name }));
    }
  }

  async function unassign({ kind, id, name }: Target) {
    const { skills } = selection;
    const done = await runTogether(t('skillList.takingAway', { name }), skills, () =>
      change({ action: 'unassign', names: getNames(skills), kind, id }),
    );
    if (done.length > 0) {
      show(t('skillList.takenAway', { count: done.length, name }));
    }
  }

  async function restore(deleted: AdminSkill[], numbers: BulkResult['restorable']) {
    await run(t('skillList.restoring'), deleted, ({ name }) =>
      call(skillVersionsApi.restore, { params: { skill: name, number: numbers[name] ?? 1 } }),
    );
  }

  async function remove(skills: AdminSkill[]) {
    let numbers: BulkResult['restorable'] = {};
    const deleted = await runTogether(t('skillList.deleting'), skills, async () => {
      const seen = skills.map(({ name, checksum }) => ({ name, checksum }));
      const result = await change({ action: 'delete', skills: seen });
      numbers = result.restorable;
      return result;
    });
    if (deleted.length > 0) {
      const message = `${t('skillList.deleted', { count: deleted.length })} ${binText}`;
      showUndo({ message, undo: () => restore(deleted, numbers) });
    }
  }

  return { ...state, switchAll, assign, unassign, remove };
}

function getNames(skills: AdminSkill[]): string[] {
  return skills.map(({ name }) => name);
}
