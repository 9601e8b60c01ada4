import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import type { SkillTranslations as Translations } from '@knowhow/shared/skills/skill-translations';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { haveSameTexts, TranslationFields } from '../../../ui/translations/translation-fields.tsx';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import { useKeepSkill } from '../use-skill.ts';
import { WriteError } from '../write-error.tsx';
import classes from './skill-translations.module.css';

const none: Translations = { title: {}, description: {} };

/** Edits title and description of a skill in further languages, in the frontmatter of its `SKILL.md`. */
export function SkillTranslations({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const stored = skill.translations ?? none;
  const [draft, setDraft] = useState<Translations>();
  const isChanged = draft !== undefined && !haveSameTexts(draft, stored);
  const { question, letGo } = useUnsavedWarning(isChanged);
  const saving = useSaveTranslations(skill, finish);

  /** The buttons disappear with the changes. */
  function finish() {
    saving.reset();
    letGo();
    setDraft(undefined);
    heading.current?.focus();
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (draft && !saving.isPending) {
      saving.mutate(draft);
    }
  }

  return (
    <Section
      headingRef={heading}
      title={t('skillTranslations.heading')}
      text={t('skillTranslations.about')}
    >
      {question}
      <form onSubmit={onSubmit} noValidate>
        <TranslationFields
          original={{ title: skill.displayName, description: skill.description }}
          value={draft ?? stored}
          onChange={(changed) => {
            saving.reset();
            setDraft(changed);
          }}
        />
        {saving.error && <WriteError error={saving.error} onReloaded={() => saving.reset()} />}
        {draft && (
          <div className={classes.actions}>
            <Button variant="subtle" color="gray" size="xs" onClick={finish}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="xs" loading={saving.isPending} disabled={!isChanged}>
              {t('skillPage.save')}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}

function useSaveTranslations(
  { name, checksum, translations }: AdminSkillDetail,
  onSaved: () => void,
) {
  const { t } = useTranslation();
  const keepSkill = useKeepSkill();
  const showUndo = useUndoToast();
  const save = (changed: Translations, ifMatch: string) =>
    call(
      adminSkillsApi.editFields,
      { params: { name }, body: { translations: changed } },
      { ifMatch },
    );
  return useMutation({
    mutationFn: (changed: Translations) => save(changed, checksum),
    onSuccess: (saved) => {
      void keepSkill(saved);
      onSaved();
      const undo = async () => keepSkill(await save(translations ?? none, saved.checksum));
      showUndo({ message: t('skillTranslations.saved'), undo });
    },
  });
}
