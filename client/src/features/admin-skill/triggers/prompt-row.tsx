import { maxTriggerPromptLength, type TriggerPrompt } from '@knowhow/shared/skills/trigger-tests';
import { NativeSelect, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useAutosize } from '../../../ui/use-autosize.ts';
import classes from './prompt-editor.module.css';
import type { PromptDraft } from './use-prompt-drafts.ts';

interface PromptRowProps {
  row: PromptDraft;
  /** From 1. */
  number: number;
  onChange: (change: Partial<TriggerPrompt>) => void;
  onRemove: () => void;
}

/** One prompt with its expectation. */
export function PromptRow({ row, number, onChange, onRemove }: PromptRowProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const isNew = row.text === '';
  useAutosize(field, row.text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a row that has just been added
  useEffect(() => {
    if (isNew && row.id > 0) {
      field.current?.focus();
    }
  }, []);
  return (
    <li className={classes.row}>
      <Textarea
        ref={field}
        className={classes.text}
        aria-label={t('triggers.prompt', { number })}
        placeholder={t('triggers.placeholder')}
        rows={1}
        maxLength={maxTriggerPromptLength}
        value={row.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.expected}
        aria-label={t('triggers.expectation', { number })}
        value={String(row.expect)}
        onChange={(event) => onChange({ expect: event.currentTarget.value === 'true' })}
        data={[
          { value: 'true', label: t('triggers.should') },
          { value: 'false', label: t('triggers.shouldNot') },
        ]}
      />
      <IconButton
        label={t('triggers.remove', { number })}
        icon={<IconTrash size={16} aria-hidden />}
        onClick={onRemove}
      />
    </li>
  );
}
