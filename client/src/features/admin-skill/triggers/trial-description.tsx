import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Button, Switch, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAutosize } from '../../../ui/use-autosize.ts';
import { useSkillUpdate } from '../use-skill-update.ts';
import classes from './run-form.module.css';

interface TrialDescriptionProps {
  skill: AdminSkillDetail;
  /** Undefined if the skill's own is used. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A test description, used for the next runs until it is applied. */
export function TrialDescription({ skill, value, onChange }: TrialDescriptionProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.trial}>
      <Switch
        label={t('triggers.reword')}
        description={t('triggers.rewordHint')}
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? skill.description : undefined)}
      />
      {value !== undefined && <Wording skill={skill} value={value} onChange={onChange} />}
    </div>
  );
}

function Wording({ skill, value, onChange }: TrialDescriptionProps & { value: string }) {
  const { t } = useTranslation();
  const { update, isPending } = useSkillUpdate(skill);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field, value);
  const saved = skill.overrides.description ?? '';
  const description = value.trim();
  const isOther = description !== '' && description !== skill.description;

  function takeOver() {
    update({
      change: { overrides: { description } },
      shown: { overrides: { ...skill.overrides, description }, description },
      done: {
        message: t('skillPage.descriptionSaved'),
        back: () => ({ overrides: { description: saved } }),
      },
    });
    onChange(undefined);
  }

  return (
    <>
      <Textarea
        ref={field}
        label={t('triggers.otherDescription')}
        rows={3}
        maxLength={4000}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isOther && (
        <div className={classes.takeOver}>
          <Button variant="default" size="xs" loading={isPending} onClick={takeOver}>
            {t('triggers.takeOver')}
          </Button>
        </div>
      )}
    </>
  );
}
