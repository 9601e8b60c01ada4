import { Textarea, type TextareaProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface LimitedTextareaProps extends TextareaProps {
  value: string;
  maxLength: number;
}

/** A field for a longer text that says when the browser takes no more characters. */
export function LimitedTextarea({ description, ...field }: LimitedTextareaProps) {
  const { t } = useTranslation();
  const { value, maxLength } = field;
  const isFull = value.length >= maxLength;
  return (
    <Textarea
      {...field}
      description={
        isFull ? (
          <span role="status">{t('state.limitReached', { count: maxLength })}</span>
        ) : (
          description
        )
      }
    />
  );
}
