import { Textarea } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import { descriptionAdvice } from './description-advice.ts';
import classes from './new-skill-form.module.css';

/** In characters, from the Agent Skills specification. */
export const maxDescriptionLength = 1024;

interface DescriptionFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The description, with a counter and live advice. */
export function DescriptionField({ value, error, onChange }: DescriptionFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const length = descriptionLength(value);
  const isLong = length > maxDescriptionLength;
  return (
    <div>
      <Textarea
        label={t('newSkill.description')}
        description={t('newSkill.descriptionHint')}
        name="description"
        required
        withAsterisk={false}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={
          isLong ? t('newSkill.descriptionLong', { by: length - maxDescriptionLength }) : error
        }
      />
      <p className={classes.counter} data-over={isLong || undefined}>
        {t('newSkill.counter', {
          count: length,
          most: format.number(maxDescriptionLength),
        })}
      </p>
      <ul className={classes.advice}>
        {descriptionAdvice(value).map((advice) => (
          <li key={advice}>
            <IconBulb size={16} aria-hidden /> {t(advice)}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function descriptionLength(value: string): number {
  return [...value.trim()].length;
}
