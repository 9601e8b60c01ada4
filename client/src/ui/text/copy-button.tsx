import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../icon-button.tsx';
import { copyRichText, copyText } from './copy-text.ts';

interface CopyButtonProps {
  /** Returns the text on demand. */
  textOf: () => string;
  /** Returns the text as HTML for rich text targets. */
  htmlOf?: () => Promise<string>;
  /** "Copy" with its icon if omitted. */
  label?: string;
  icon?: ReactNode;
  size?: number;
}

export function CopyButton({ textOf, htmlOf, label, icon, size = 32 }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (copied) {
      const timer = setTimeout(() => setCopied(false), 1500);
      return () => clearTimeout(timer);
    }
  }, [copied]);

  const copy = async () => {
    await (htmlOf ? copyRichText(textOf(), htmlOf()) : copyText(textOf()));
    setCopied(true);
  };
  return (
    <IconButton
      label={copied ? t('action.copied') : (label ?? t('action.copy'))}
      icon={copied ? <IconCheck size={16} /> : (icon ?? <IconCopy size={16} />)}
      size={size}
      onClick={copy}
    />
  );
}
