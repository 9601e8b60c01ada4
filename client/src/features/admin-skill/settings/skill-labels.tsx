import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { type EditableField, editableFields } from '@knowhow/shared/skills/skill-fields';
import { normalizeTag } from '@knowhow/shared/skills/skill-tags';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { useKeepSkill } from '../use-skill.ts';
import classes from './skill-labels.module.css';

type Texts = Partial<Record<EditableField, string>>;

/** Edits category, tags, requirements and license of a skill in the frontmatter of its `SKILL.md`. */
export function SkillLabels({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<Texts>({});
  const saving = useSaveLabels(skill, () => setTyped({}));
  const changed = getChangedFields(skill, typed);
  const isChanged = Object.keys(changed).length > 0;

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (isChanged && !saving.isPending) {
      saving.mutate({ texts: changed, checksum: skill.checksum });
    }
  }

  return (
    <Section title={t('skillPage.labels')} text={t('skillPage.labelsText')}>
      <form className={classes.form} onSubmit={onSubmit} noValidate>
        {editableFields.map(({ key, label, type, isCode = false }) => (
          <TextInput
            key={key}
            label={t(label)}
            {...(type === 'words' ? { description: t('skillPage.withCommas') } : {})}
            {...(isCode ? { spellCheck: false, autoCapitalize: 'off' } : {})}
            maxLength={1000}
            autoComplete="off"
            value={typed[key] ?? getFieldText(skill, key)}
            error={getFieldError(key, saving.error)}
            onChange={({ currentTarget }) => {
              saving.reset();
              setTyped({ ...typed, [key]: currentTarget.value });
            }}
          />
        ))}
        {isChanged && (
          <div className={classes.actions}>
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              onClick={() => {
                saving.reset();
                setTyped({});
              }}
            >
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="xs" loading={saving.isPending}>
              {t('skillPage.save')}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}

function useSaveLabels({ name, ...before }: AdminSkillDetail, onSaved: () => void) {
  const { t } = useTranslation();
  const keepSkill = useKeepSkill();
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const save = (texts: Texts, ifMatch: string) =>
    call(adminSkillsApi.editFields, { params: { name }, body: texts }, { ifMatch });
  return useMutation({
    mutationFn: ({ texts, checksum }: { texts: Texts; checksum: string }) => save(texts, checksum),
    onSuccess: (saved, { texts }) => {
      onSaved();
      void keepSkill(saved);
      const keys = Object.keys(texts) as EditableField[];
      const old = Object.fromEntries(keys.map((key) => [key, getFieldText(before, key)]));
      const undo = async () => keepSkill(await save(old, saved.checksum));
      showUndo({ message: t('skillPage.labelsSaved'), undo });
    },
    onError: (error) => {
      if (!editableFields.some(({ key }) => getFieldError(key, error) !== undefined)) {
        showError(error);
      }
    },
  });
}

/** The server's message about a field. */
function getFieldError(key: EditableField, error: unknown): string | undefined {
  const issues = error instanceof Problem ? (error.issues ?? []) : [];
  return issues.find(({ path }) => path === key)?.message;
}

function getFieldText(skill: Pick<AdminSkillDetail, EditableField>, key: EditableField): string {
  return [skill[key] ?? []].flat().join(', ');
}

/** The changed fields, in the form in which they are written to the file. */
function getChangedFields(skill: AdminSkillDetail, typed: Texts): Texts {
  const entries = editableFields.flatMap(({ key, type }) => {
    const text = typed[key];
    const wanted = text === undefined || type === 'text' ? text?.trim() : normalizeList(key, text);
    return wanted === undefined || wanted === getFieldText(skill, key) ? [] : [[key, wanted]];
  });
  return Object.fromEntries(entries);
}

/** Normalises tags (lower case, hyphens) and tools (separated by spaces or commas), deduplicated. */
function normalizeList(key: EditableField, text: string): string {
  const words = key === 'tags' ? text.split(',').map(normalizeTag) : text.split(/[\s,]+/);
  return [...new Set(words)].filter((word) => word !== '').join(', ');
}
