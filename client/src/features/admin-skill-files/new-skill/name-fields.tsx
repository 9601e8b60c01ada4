import { maxDisplayNameLength } from '@knowhow/shared/skills/admin-skill';
import { TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { NewSkill } from './new-skill.ts';
import classes from './new-skill-form.module.css';
import type { NameCheck } from './use-name-check.ts';

interface NameFieldsProps {
  skill: NewSkill;
  check: NameCheck;
  /** The server's error on the name. */
  error: string | undefined;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** The title, and the name derived from it until the user types another. */
export function NameFields({ skill, check, error, onChange }: NameFieldsProps) {
  const { t } = useTranslation();
  const isFine = !check.isOpen && check.isFree && check.isValid && check.name !== '';
  const isIllegal = check.isValid === false && check.proposed !== undefined;
  const illegal = isIllegal ? t('newSkill.nameInvalid', { name: check.proposed }) : undefined;
  const taken = check.isFree === false ? check.message : undefined;
  const fault = check.isOpen ? undefined : (illegal ?? taken);
  return (
    <>
      <TextInput
        label={t('newSkill.title')}
        description={t('newSkill.titleHint')}
        autoFocus
        maxLength={maxDisplayNameLength}
        autoComplete="off"
        value={skill.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <TextInput
        label={t('newSkill.name')}
        description={t('newSkill.nameHint')}
        name="name"
        required
        withAsterisk={false}
        classNames={{ input: classes.mono }}
        maxLength={300}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={check.name}
        onChange={(event) => onChange({ name: event.currentTarget.value || undefined })}
        error={error ?? fault}
      />
      <p className={classes.state} role="status">
        {isFine && (
          <>
            <IconCheck size={16} aria-hidden /> {t('newSkill.nameFree')}
          </>
        )}
      </p>
    </>
  );
}
