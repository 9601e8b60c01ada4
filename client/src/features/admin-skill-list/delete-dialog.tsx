import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ScrollingGroup } from '../../ui/layout/scrolling-group.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useBinText } from '../../ui/use-bin-text.ts';
import classes from './delete-dialog.module.css';

interface DeleteDialogProps {
  opened: boolean;
  skills: AdminSkill[];
  /** Number of selected skills that are read-only. */
  staying: number;
  names: Record<'apps' | 'groups', { id: string; name: string }[]>;
  onClose: () => void;
  onConfirm: () => void;
}

/** Names what is lost with the skills, and requires typing to confirm. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { opened, skills, staying, names, onClose, onConfirm } = props;
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const binText = useBinText();
  const [only] = skills;
  const files = skills.reduce((sum, skill) => sum + skill.files, 0);
  const size = bytes(skills.reduce((sum, skill) => sum + skill.bytes, 0));
  const counted = t('skillList.skills', { count: skills.length });
  const reached = (['apps', 'groups'] as const).flatMap((kind) =>
    names[kind].filter(({ id }) => skills.some((skill) => skill[kind].includes(id))),
  );
  return (
    <ConfirmDialog
      title={t('skillList.deleteTitle', { skills: counted })}
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      confirmLabel={t('skillList.delete')}
      typed={skills.length === 1 ? only?.name : counted}
    >
      <p>{t('skillList.deleteLoses', { files: t('skillList.files', { count: files }), size })}</p>
      <ScrollingGroup className={classes.names} label={counted}>
        <ul>
          {skills.map(({ location, name }) => (
            <li key={location}>{name}</li>
          ))}
        </ul>
      </ScrollingGroup>
      {reached.length > 0 && (
        <p>{t('skillList.deleteReaches', { names: reached.map(({ name }) => name).join(', ') })}</p>
      )}
      {staying > 0 && <p>{t('skillList.deleteStays', { count: staying })}</p>}
      <p>{binText}</p>
    </ConfirmDialog>
  );
}
