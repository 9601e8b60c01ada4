import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { skillBulkApi } from '@knowhow/shared/skills/skill-bulk';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useReachText } from '../../ui/text/use-reach-text.ts';

interface SwitchOffDialogProps {
  opened: boolean;
  /** The selected skills that are on. */
  skills: AdminSkill[];
  onClose: () => void;
  onConfirm: () => void;
}

/** Says how many people and apps lose these skills, before they are switched off. */
export function SwitchOffDialog({ opened, skills, onClose, onConfirm }: SwitchOffDialogProps) {
  const { t } = useTranslation();
  const reachText = useReachText();
  const seesAudit = useRight('audit');
  const names = skills.map(({ name }) => name);
  const reach = useQuery({
    ...query(skillBulkApi.reach, { body: { names } }),
    enabled: opened && names.length > 0,
  });
  return (
    <ConfirmDialog
      title={t('skillList.switchOffTitle', { count: skills.length })}
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      confirmLabel={t('skillList.switchOff')}
    >
      {reach.isPending && <Skeleton height={24} />}
      {reach.error && <ErrorNote error={reach.error} />}
      {reach.data && <p>{reachText(reach.data)}</p>}
      {seesAudit && <p>{t('skillList.switchOffUndo')}</p>}
    </ConfirmDialog>
  );
}
