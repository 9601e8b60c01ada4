import {
  maxTriggerPromptLength,
  maxTriggerPrompts,
  type TriggerPrompt,
  type TriggerPrompts,
} from '@knowhow/shared/skills/trigger-tests';
import { Button, NativeSelect } from '@mantine/core';
import { IconFileImport, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useAutosize } from '../../../ui/use-autosize.ts';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import classes from './prompt-editor.module.css';
import type { PromptDraft, PromptDrafts } from './use-prompt-drafts.ts';

interface PromptEditorProps {
  stored: TriggerPrompts;
  drafts: PromptDrafts;
  /** Whether the skill's folder is writable. */
  isWritable: boolean;
  onReload: () => void;
}

/** Edits the prompts and saves them into the skill's folder. */
export function PromptEditor({ stored, drafts, isWritable, onReload }: PromptEditorProps) {
  const { t } = useTranslation();
  const { rows, missing } = drafts;
  const addButton = useRef<HTMLButtonElement>(null);
  const { question } = useUnsavedWarning(drafts.isTouched && isWritable);
  const isFull = rows.length >= maxTriggerPrompts;
  return (
    <div className={classes.editor}>
      {!stored.isSaved && stored.found.length > 0 && (
        <p className={classes.note}>{t('triggers.takenFromEvals')}</p>
      )}
      {stored.faults.length > 0 && <Faults faults={stored.faults} />}
      {rows.length === 0 && <p className={classes.none}>{t('triggers.noPrompts')}</p>}
      <ol className={classes.list} aria-label={t('triggers.prompts')}>
        {rows.map((row, at) => (
          <PromptRow
            key={row.id}
            row={row}
            number={at + 1}
            onChange={(change) => drafts.change(row.id, change)}
            onRemove={() => {
              drafts.remove(row.id);
              addButton.current?.focus();
            }}
          />
        ))}
      </ol>
      <div className={classes.actions}>
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={isFull}
          onClick={drafts.add}
        >
          {t('triggers.add')}
        </Button>
        {missing.length > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconFileImport size={14} aria-hidden />}
            disabled={isFull}
            onClick={() => drafts.take(missing.slice(0, maxTriggerPrompts - rows.length))}
          >
            {t('triggers.take', { count: missing.length })}
          </Button>
        )}
        {isWritable && <SaveButtons drafts={drafts} path={stored.path} />}
      </div>
      {drafts.error && (
        <ErrorNote error={drafts.error}>
          <Button variant="default" size="compact-sm" onClick={onReload}>
            {t('skillPage.reload')}
          </Button>
        </ErrorNote>
      )}
      {question}
    </div>
  );
}

function SaveButtons({ drafts, path }: { drafts: PromptDrafts; path: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.save}>
      {drafts.isTouched && (
        <Button variant="subtle" color="gray" size="xs" onClick={drafts.discard}>
          {t('triggers.discard')}
        </Button>
      )}
      {(drafts.isChanged || drafts.isSaving) && (
        <Button size="xs" loading={drafts.isSaving} onClick={drafts.save}>
          {t('triggers.save', { path })}
        </Button>
      )}
    </div>
  );
}

function Faults({ faults }: Pick<TriggerPrompts, 'faults'>) {
  return (
    <ul className={classes.faults}>
      {faults.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}

interface PromptRowProps {
  row: PromptDraft;
  /** From 1. */
  number: number;
  onChange: (change: Partial<TriggerPrompt>) => void;
  onRemove: () => void;
}

/** One prompt with its expectation. */
function PromptRow({ row, number, onChange, onRemove }: PromptRowProps) {
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
      <LimitedTextarea
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
