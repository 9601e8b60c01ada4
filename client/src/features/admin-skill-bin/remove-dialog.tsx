import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import type { BinDeed } from './use-bin.ts';

/** Deleting some skills permanently, or all. */
export type Removing = BinDeed & { deed: 'remove' | 'empty' };

interface RemoveDialogProps {
  /** Undefined: it is closed. */
  removing: Removing | undefined;
  isBusy: boolean;
  error: unknown;
  onClose: () => void;
  onConfirm: (removing: Removing) => void;
}

/** Says what is lost for good, and requires typing to confirm. */
export function RemoveDialog({ removing, isBusy, error, onClose, onConfirm }: RemoveDialogProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  // While it closes, it keeps its content.
  const [last, setLast] = useState(removing);
  if (removing && removing !== last) {
    setLast(removing);
  }
  if (!last) {
    return null;
  }
  const skills = last.deed === 'empty' ? [] : last.skills;
  const count = last.deed === 'empty' ? last.count : skills.length;
  const versions = skills.reduce((sum, skill) => sum + skill.versions, 0);
  const size = bytes(skills.reduce((sum, skill) => sum + skill.bytes, 0));
  const counted = t('skillBin.skills', { count });
  const [only] = skills;
  const name = count === 1 && only ? only.displayName : undefined;
  return (
    <ConfirmDialog
      title={
        last.deed === 'empty'
          ? t('skillBin.emptyTitle')
          : t('skillBin.removeTitle', { skills: name ?? counted })
      }
      opened={removing !== undefined}
      onClose={onClose}
      onConfirm={() => onConfirm(last)}
      confirmLabel={t(last.deed === 'empty' ? 'skillBin.empty' : 'skillBin.remove')}
      typed={count === 1 && only ? only.name : counted}
      isBusy={isBusy}
      error={error}
    >
      <p>
        {last.deed === 'empty'
          ? t('skillBin.emptyLoses', { skills: counted })
          : t('skillBin.removeLoses', {
              versions: t('skillBin.versions', { count: versions }),
              size,
            })}
      </p>
      <p>{t('skillBin.removeKeeps')}</p>
      <p>{t('skillBin.removeFinal')}</p>
    </ConfirmDialog>
  );
}
