import { IconGhost2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { IconButton } from '../../ui/icon-button.tsx';
import { temporarySearch } from './temporary-search.ts';

/** Toggles whether a new conversation is temporary. */
export function TemporarySwitch({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <IconButton
      label={t('temporary.title')}
      icon={<IconGhost2 size={18} />}
      aria-pressed={isOn}
      onClick={() => navigate({ search: isOn ? '' : temporarySearch })}
    />
  );
}
