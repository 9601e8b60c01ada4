import { IconGhost2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { addTemporaryTexts } from '../../i18n/add-temporary-texts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { temporarySearch } from './temporary-search.ts';

/** Toggles whether a new conversation is temporary. */
export function TemporarySwitch({ isOn }: { isOn: boolean }) {
  const { t, i18n } = useTranslation();
  useState(() => addTemporaryTexts(i18n));
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
