import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Button, Textarea } from '@mantine/core';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useAutosize } from '../../../ui/use-autosize.ts';
import classes from '../settings/skill-settings.module.css';
import { useSkillUpdate } from '../use-skill-update.ts';
import { ownDescription } from './own-description.ts';

/** Longer descriptions are truncated in the catalogue. */
const longest = 1024;

/** An override of the description in the file. */
export function DescriptionOverride({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { update, isPending } = useSkillUpdate(skill);
  const saved = skill.overrides.description ?? '';
  const [typed, setTyped] = useState<string>();
  const own = ownDescription(skill);
  const text = typed ?? (saved || own);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field, text);
  const length = [...text.trim()].length;

  function save(description: string) {
    setTyped(undefined);
    const { description: _old, ...others } = skill.overrides;
    update({
      change: { overrides: { description } },
      shown: {
        overrides: description === '' ? others : { ...others, description },
        description: description || skill.ownDescription,
      },
      done: {
        message:
          description === '' ? t('skillPage.descriptionReset') : t('skillPage.descriptionSaved'),
        back: () => ({ overrides: { description: saved } }),
      },
    });
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    // The same text as in the file is not an override.
    save(text.trim() === own ? '' : text.trim());
  }

  return (
    <form className={classes.description} onSubmit={onSubmit}>
      <Textarea
        label={t('skillPage.description')}
        description={t('skillPage.descriptionHint')}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        ref={field}
        rows={3}
        maxLength={4000}
      />
      <div className={classes.underField}>
        <span className={classes.counter} data-over={length > longest || undefined}>
          {length > longest
            ? t('skillPage.tooLong', { length: number(length), longest: number(longest) })
            : t('skillPage.counter', { length: number(length), longest: number(longest) })}
        </span>
        {saved !== '' && typed === undefined && (
          <Button variant="subtle" color="gray" size="xs" onClick={() => save('')}>
            {t('skillPage.resetDescription')}
          </Button>
        )}
        {typed !== undefined && typed.trim() !== (saved || own) && (
          <>
            <Button variant="subtle" color="gray" size="xs" onClick={() => setTyped(undefined)}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="xs" loading={isPending}>
              {t('skillPage.save')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
