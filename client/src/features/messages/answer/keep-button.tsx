import { IconBookmarkPlus } from '@tabler/icons-react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ThreadStateContext } from '../thread-state.ts';

/** Saves a message as a prompt, for users who can have prompts. */
export function KeepButton({ text }: { text: string }) {
  const { t } = useTranslation();
  const { onKeep } = useContext(ThreadStateContext);
  return (
    onKeep && (
      <IconButton
        label={t('question.keep')}
        icon={<IconBookmarkPlus size={16} />}
        aria-haspopup="dialog"
        onClick={() => onKeep(text)}
      />
    )
  );
}
