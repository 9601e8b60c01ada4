import { type AdminSkillDetail, maxDisplayNameLength } from '@knowhow/shared/skills/admin-skill';
import { Button, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../settings/skill-settings.module.css';
import { useSkillUpdate } from '../use-skill-update.ts';

/** An override of the display name in the file. */
export function DisplayName({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update, isPending } = useSkillUpdate(skill);
  const { displayName: shown, ownDisplayName: own } = skill;
  const saved = skill.overrides.displayName ?? '';
  const [typed, setTyped] = useState<string>();
  const text = typed ?? shown;

  function save(displayName: string) {
    setTyped(undefined);
    const { displayName: _old, ...others } = skill.overrides;
    update({
      change: { overrides: { displayName } },
      shown: {
        overrides: displayName === '' ? others : { ...others, displayName },
        displayName: displayName || own,
      },
      done: {
        message: displayName === '' ? t('skillPage.nameReset') : t('skillPage.nameSaved'),
        back: () => ({ overrides: { displayName: saved } }),
      },
    });
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const wanted = text.trim();
    // The same name as in the file is not an override.
    save(wanted === own ? '' : wanted);
  }

  return (
    <form className={classes.description} onSubmit={onSubmit}>
      <TextInput
        label={t('skillPage.displayName')}
        description={t('skillPage.displayNameHint', { name: skill.name })}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={maxDisplayNameLength}
        autoComplete="off"
      />
      <div className={classes.underField}>
        {saved !== '' && typed === undefined && (
          <Button variant="subtle" color="gray" size="xs" onClick={() => save('')}>
            {t('skillPage.resetDescription')}
          </Button>
        )}
        {typed !== undefined && typed.trim() !== shown && (
          <>
            <Button variant="subtle" color="gray" size="xs" onClick={() => setTyped(undefined)}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="xs" loading={isPending} disabled={typed.trim() === ''}>
              {t('skillPage.save')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
