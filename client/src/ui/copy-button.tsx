import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  /** Gives the text when it is wanted. */
  textOf: () => string;
  size?: number;
}

export function CopyButton({ textOf, size = 32 }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (copied) {
      const timer = setTimeout(() => setCopied(false), 1500);
      return () => clearTimeout(timer);
    }
  }, [copied]);

  return (
    <IconButton
      label={copied ? t('action.copied') : t('action.copy')}
      icon={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      size={size}
      onClick={() => copyText(textOf()).then(() => setCopied(true))}
    />
  );
}
