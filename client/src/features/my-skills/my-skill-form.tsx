import { mySkillsApi, type PersonalSkillDetail } from '@knowhow/shared/skills/personal-skills';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import { maxTriggerPromptLength, maxTriggerPrompts } from '@knowhow/shared/skills/trigger-tests';
import { Button, Textarea } from '@mantine/core';
import { IconMessagePlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import { PlainField } from '../../ui/forms/plain-field.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { haveSameTexts, TranslationFields } from '../../ui/translations/translation-fields.tsx';
import { useUnsavedWarning } from '../../ui/use-unsaved-warning.tsx';
import '../../ui/mantine-fields.css';
import classes from './my-skills.module.css';
import { PrivateWords } from './private-words.tsx';
import { refreshMySkills } from './refresh-my-skills.ts';
import type { WrittenSkill } from './written-skill.ts';

interface MySkillFormProps {
  /** The stored skill; undefined for a new one. */
  skill?: PersonalSkillDetail;
  /** For a new skill. */
  initial?: WrittenSkill;
  /** Called with each change. */
  onChange?: (changed: Partial<WrittenSkill>) => void;
  /** Called when the changes are saved, or given up. */
  onSettled?: () => void;
  onTry: (id: string) => void;
  onCreated?: (skill: PersonalSkillDetail) => void;
  onDeleted?: () => void;
}

/** The texts of a skill, with what one can do with it. */
export function MySkillForm({
  skill,
  initial = textsOf(skill),
  onChange,
  onSettled,
  onTry,
  onCreated,
  onDeleted,
}: MySkillFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [written, setWritten] = useState(initial);
  const isComplete =
    textKeys.every((key) => written[key].trim() !== '') && !hasTooManyPrompts(written);
  const isChanged = isDifferent(written, textsOf(skill));
  const { question, letGo } = useUnsavedWarning(isChanged, onSettled);
  const change = (changed: Partial<WrittenSkill>) => {
    save.reset();
    setWritten((before) => ({ ...before, ...changed }));
    onChange?.(changed);
  };
  const save = useMutation({
    mutationFn: (_: { isTried: boolean }) => saveSkill(written, skill),
    onSuccess: (saved, { isTried }) => {
      letGo();
      onSettled?.();
      setWritten(textsOf(saved));
      refreshMySkills(queryClient, saved);
      // The button that was pressed is disabled now.
      form.current?.focus();
      if (!skill) {
        onCreated?.(saved);
      }
      if (isTried) {
        onTry(saved.id);
      }
    },
  });

  function submit(event: SubmitEvent) {
    event.preventDefault();
    save.mutate({ isTried: false });
  }

  function leave() {
    letGo();
    onDeleted?.();
  }

  function tryIt() {
    if (skill && !isChanged) {
      onTry(skill.id);
    } else {
      save.mutate({ isTried: true });
    }
  }

  return (
    <form
      ref={form}
      tabIndex={-1}
      className={classes.form}
      onSubmit={submit}
      aria-label={t('mySkills.skill')}
    >
      {question}
      <TextFields written={written} isNew={!skill} onChange={change} />
      {skill && <StoredParts skill={skill} isChanged={isChanged} />}
      <PrivateWords skill={written} onChange={change} />
      {save.error && <ErrorNote error={save.error} />}
      <div className={classes.actions}>
        <SaveButtons
          isComplete={isComplete}
          isChanged={isChanged}
          isBusy={save.isPending}
          onTry={tryIt}
        />
        {skill && <DeleteButton skill={skill} onDeleted={leave} />}
      </div>
    </form>
  );
}

interface SaveButtonsProps {
  isComplete: boolean;
  isChanged: boolean;
  isBusy: boolean;
  onTry: () => void;
}

function SaveButtons({ isComplete, isChanged, isBusy, onTry }: SaveButtonsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button type="submit" loading={isBusy} disabled={!isComplete || !isChanged}>
        {t('mySkills.save')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconMessagePlus size={17} aria-hidden />}
        disabled={!isComplete || isBusy}
        onClick={onTry}
      >
        {t(isChanged ? 'mySkills.saveAndTry' : 'mySkills.try')}
      </Button>
    </>
  );
}

interface TextFieldsProps {
  written: WrittenSkill;
  isNew: boolean;
  onChange: (changed: Partial<WrittenSkill>) => void;
}

function TextFields({ written, isNew, onChange }: TextFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      {isNew && (
        <PlainField
          label={t('mySkills.name')}
          description={t('mySkills.nameAbout')}
          maxLength={64}
          value={written.name}
          onChange={(name) => onChange({ name: name.endsWith(' ') ? `${slug(name)}-` : name })}
        />
      )}
      <LimitedTextarea
        label={t('mySkills.description')}
        description={t('mySkills.descriptionAbout')}
        value={written.description}
        maxLength={1024}
        rows={3}
        resize="vertical"
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Textarea
        className={classes.instructions}
        label={t('mySkills.instructions')}
        description={t('mySkills.instructionsAbout')}
        value={written.instructions}
        rows={16}
        resize="vertical"
        onChange={(event) => onChange({ instructions: event.currentTarget.value })}
      />
      <Prompts written={written} onChange={onChange} />
      <Expander summary={t('skillTranslations.heading')}>
        <p className={classes.note}>{t('skillTranslations.about')}</p>
        <TranslationFields
          original={{ description: written.description }}
          value={written.translations ?? noTranslations}
          onChange={(translations) => onChange({ translations })}
        />
      </Expander>
    </>
  );
}

/** Files and diagnostics, which a change of the texts may make outdated. */
function StoredParts({ skill, isChanged }: { skill: PersonalSkillDetail; isChanged: boolean }) {
  const { t } = useTranslation();
  const { files, diagnostics } = skill;
  return (
    <>
      {files.length > 0 && (
        <div>
          <p className={classes.note}>{t('mySkills.files', { count: files.length })}</p>
          <ul className={classes.files}>
            {files.map(({ path }) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </div>
      )}
      {!isChanged && diagnostics.length > 0 && (
        <DiagnosticsList diagnostics={diagnostics.map((each) => ({ ...each, fixable: false }))} />
      )}
    </>
  );
}

const noTranslations: SkillTranslations = { title: {}, description: {} };
const textKeys = ['name', 'description', 'instructions'] as const;

function textsOf(skill: PersonalSkillDetail | undefined): WrittenSkill {
  const { name = '', description = '', instructions = '', prompts, translations } = skill ?? {};
  return { name, description, instructions, prompts, translations };
}

function isDifferent(written: WrittenSkill, before: WrittenSkill): boolean {
  return (
    textKeys.some((key) => written[key] !== before[key]) ||
    hasOtherPrompts(written, before) ||
    !haveSameTexts(written.translations ?? noTranslations, before.translations ?? noTranslations)
  );
}

function hasOtherPrompts(written: WrittenSkill, before: WrittenSkill): boolean {
  return cleanPrompts(written).join('\n') !== cleanPrompts(before).join('\n');
}

/** Without empty lines. */
function cleanPrompts({ prompts = [] }: WrittenSkill): string[] {
  return prompts.map((prompt) => prompt.trim()).filter((prompt) => prompt !== '');
}

function saveSkill(written: WrittenSkill, skill: PersonalSkillDetail | undefined) {
  const { name, description, instructions, translations } = written;
  // The stored ones may be longer or more than the form shows, and stay unless they are changed.
  const isTranslated =
    translations && !haveSameTexts(translations, skill?.translations ?? noTranslations);
  const content = {
    description,
    instructions,
    ...(isTranslated ? { translations } : {}),
    ...(hasOtherPrompts(written, textsOf(skill)) ? { prompts: cleanPrompts(written) } : {}),
  };
  return skill
    ? call(
        mySkillsApi.put,
        { params: { name: skill.name }, body: content },
        { ifMatch: skill.checksum },
      )
    : call(mySkillsApi.create, {
        body: { ...content, name: name.replace(/-$/, '') },
      });
}

function hasTooManyPrompts(written: WrittenSkill): boolean {
  const prompts = cleanPrompts(written);
  return (
    prompts.length > maxTriggerPrompts ||
    prompts.some(({ length }) => length > maxTriggerPromptLength)
  );
}

function Prompts({ written, onChange }: Pick<TextFieldsProps, 'written' | 'onChange'>) {
  const { t } = useTranslation();
  const limits = { limit: maxTriggerPrompts, length: maxTriggerPromptLength };
  return (
    <Textarea
      label={t('mySkills.prompts')}
      description={t('mySkills.promptsAbout')}
      value={(written.prompts ?? []).join('\n')}
      error={hasTooManyPrompts(written) && t('mySkills.promptsLimit', limits)}
      rows={4}
      resize="vertical"
      onChange={(event) => onChange({ prompts: event.currentTarget.value.split('\n') })}
    />
  );
}

function DeleteButton({ skill, onDeleted }: { skill: PersonalSkillDetail; onDeleted: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { name, recipients } = skill;
  const remove = useMutation({
    mutationFn: () => call(mySkillsApi.remove, { params: { name } }),
    onSuccess: () => {
      onDeleted();
      queryClient.removeQueries(query(mySkillsApi.get, { params: { name } }));
      refreshMySkills(queryClient);
    },
  });
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={17} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {t('mySkills.delete')}
      </Button>
      <ConfirmDialog
        title={t('mySkills.deleteTitle', { name })}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate()}
        confirmLabel={t('mySkills.delete')}
        error={remove.error}
        isBusy={remove.isPending}
      >
        <p>{t('mySkills.deleteText')}</p>
        {recipients > 0 && <p>{t('mySkills.share.deleteText', { count: recipients })}</p>}
      </ConfirmDialog>
    </>
  );
}
