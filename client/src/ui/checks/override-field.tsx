import type { PublicationCheck } from '@knowhow/shared/skills/publication-checks';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { useTranslation } from 'react-i18next';
import { LimitedTextarea } from '../forms/limited-textarea.tsx';
import { checkTexts } from './check-texts.ts';
import classes from './override-field.module.css';

interface OverrideFieldProps {
  /** Required checks that fail. */
  failed: readonly PublicationCheck[];
  value: string;
  onChange: (reason: string) => void;
  /** Whether the user may override them. */
  isAllowed: boolean;
}

/** Names the required checks that fail, and takes the reason to publish in spite of them. */
export function OverrideField({ failed, value, onChange, isAllowed }: OverrideFieldProps) {
  const { t, i18n } = useTranslation();
  const names = failed.map((id) => t(checkTexts[id].name));
  const values = {
    count: failed.length,
    checks: new Intl.ListFormat(i18n.language).format(names),
  };
  if (!isAllowed) {
    return <p>{t('checks.overrideForbidden', values)}</p>;
  }
  return (
    <>
      <p>{t('checks.overrideText', values)}</p>
      <LimitedTextarea
        className={classes.reason}
        label={t('checks.reason')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={maxVersionMessage}
        rows={2}
        required
        data-autofocus
      />
    </>
  );
}
