import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import {
  type EditableField,
  editableFields,
  maxCompatibilityLength,
} from '@knowhow/shared/skills/skill-fields';
import { isTag, maxTags, normalizeTag } from '@knowhow/shared/skills/skill-tags';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { useKeepSkill } from '../use-skill.ts';
import { WriteError } from '../write-error.tsx';
import classes from './skill-labels.module.css';

type Texts = Partial<Record<EditableField, string>>;

/** Edits category, tags, requirements and license of a skill in the frontmatter of its `SKILL.md`. */
export function SkillLabels({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<Texts>({});
  const form = useRef<HTMLFormElement>(null);
  const edited = useRef<HTMLInputElement>(null);
  const fieldError = useFieldError();
  const saving = useSaveLabels(skill, { onSaved: () => setTyped({}), onSettled: keepFocus });
  const changed = getChangedFields(skill, typed);
  const isChanged = Object.keys(changed).length > 0;

  /** The buttons disappear with the changes, and lose the focus while their action runs. */
  function keepFocus() {
    const { activeElement } = document;
    const isButton =
      activeElement instanceof HTMLButtonElement && form.current?.contains(activeElement);
    if (isButton || activeElement === document.body) {
      edited.current?.focus();
    }
  }

  function reset() {
    saving.reset();
    keepFocus();
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (isChanged && !saving.isPending) {
      saving.mutate({ texts: changed, checksum: skill.checksum });
    }
  }

  return (
    <Section title={t('skillPage.labels')} text={t('skillPage.labelsText')}>
      <form ref={form} className={classes.form} onSubmit={onSubmit} noValidate>
        {editableFields.map(({ key, label, type, isCode = false }) => (
          <TextInput
            key={key}
            label={t(label)}
            {...(type === 'words' ? { description: t('skillPage.withCommas') } : {})}
            {...(isCode ? { spellCheck: false, autoCapitalize: 'off' } : {})}
            maxLength={1000}
            autoComplete="off"
            value={typed[key] ?? getFieldText(skill, key)}
            error={fieldError(key, saving)}
            onChange={({ currentTarget }) => {
              edited.current = currentTarget;
              saving.reset();
              setTyped({ ...typed, [key]: currentTarget.value });
            }}
          />
        ))}
        {saving.error && !isAboutField(saving.error) && (
          <WriteError error={saving.error} onReloaded={reset} />
        )}
        {isChanged && (
          <div className={classes.actions}>
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              onClick={() => {
                reset();
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

interface SaveCallbacks {
  onSaved: () => void;
  /** Called after success and failure. */
  onSettled: () => void;
}

function useSaveLabels(skill: AdminSkillDetail, { onSaved, onSettled }: SaveCallbacks) {
  const { name, ...before } = skill;
  const { t } = useTranslation();
  const keepSkill = useKeepSkill();
  const showUndo = useUndoToast();
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
    onSettled,
  });
}

interface Attempt {
  error: unknown;
  variables: { texts: Texts } | undefined;
}

/** Returns the text of a rejected field: the server's message is the warning about a saved file. */
function useFieldError() {
  const { t } = useTranslation();
  return (key: EditableField, { error, variables }: Attempt) => {
    const issue = getIssues(error).find(({ path }) => path === key);
    const tags = variables?.texts.tags?.split(', ') ?? [];
    const tag = tags.find((each) => !isTag(each));
    if (issue?.code === 'tags-too-many') {
      return t('skillPage.labelsTooManyTags', { number: tags.length, most: maxTags });
    }
    if (issue?.code === 'tags-invalid' && tag !== undefined) {
      return t('skillPage.labelsTagInvalid', { tag });
    }
    if (issue?.code === 'compatibility-invalid') {
      return t('skillPage.labelsTooLong', { most: maxCompatibilityLength });
    }
    return issue && t('skillPage.labelsRefused', { reason: issue.message });
  };
}

function isAboutField(error: unknown): boolean {
  return editableFields.some(({ key }) => getIssues(error).some(({ path }) => path === key));
}

function getIssues(error: unknown) {
  return error instanceof Problem ? (error.issues ?? []) : [];
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
