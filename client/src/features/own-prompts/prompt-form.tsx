import { placeholdersIn } from '@knowhow/shared/chat/placeholders';
import { maxPromptLength, userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { Checkbox, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import '../../ui/mantine-fields.css';
import classes from './own-prompts.module.css';
import type { Written } from './written.ts';

interface PromptFormProps {
  written: Written;
  /** The groups it can be shared with. */
  groups: readonly { id: string; name: string }[];
  onCancel: () => void;
  onSaved: () => void;
}

/** Name, text and sharing of a prompt. */
export function PromptForm({ written, groups, onCancel, onSaved }: PromptFormProps) {
  const { t } = useTranslation();
  const { id } = written;
  const [name, setName] = useState(written.name ?? suggestName(written.text ?? ''));
  const [text, setText] = useState(written.text ?? '');
  const known = new Set(groups.map((group) => group.id));
  const [shared, setShared] = useState(written.groups?.filter((group) => known.has(group)) ?? []);
  const body = { name, text, groups: shared };
  const save = useMutation({
    mutationFn: () =>
      id === undefined
        ? call(userPromptsApi.create, { body })
        : call(userPromptsApi.update, { params: { id }, body }),
    onSuccess: onSaved,
  });

  return (
    <DialogForm
      error={save.error}
      isBusy={save.isPending}
      submitLabel={t('ownPrompts.save')}
      onSubmit={() => save.mutate()}
      onCancel={onCancel}
    >
      <FirstField label={t('ownPrompts.name')} maxLength={100} value={name} onChange={setName} />
      <Textarea
        label={t('ownPrompts.text')}
        description={<GapsNote text={text} />}
        required
        withAsterisk={false}
        rows={8}
        error={text.length > maxPromptLength && t('ownPrompts.tooLong', { max: maxPromptLength })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {groups.length > 0 && (
        <Checkbox.Group
          label={t('ownPrompts.share')}
          description={t('ownPrompts.shareAbout')}
          value={shared}
          onChange={setShared}
        >
          <div className={classes.groups}>
            {groups.map((group) => (
              <Checkbox key={group.id} value={group.id} label={group.name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </DialogForm>
  );
}

function GapsNote({ text }: { text: string }) {
  const { t } = useTranslation();
  const gaps = placeholdersIn(text);
  return gaps.length === 0
    ? t('ownPrompts.gapsAbout')
    : t('ownPrompts.gaps', { names: gaps.join(', ') });
}

const longestName = 60;

/** The first line, possibly truncated. */
function suggestName(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > longestName ? `${line.slice(0, longestName).trimEnd()}…` : line;
}
