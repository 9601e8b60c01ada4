import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { useDraft } from './draft-context.ts';
import classes from './item-page.module.css';
import { unknownFields } from './unknown-fields.ts';

/** Unknown fields of the file, which are preserved. */
export function UnknownFieldsNote() {
  const { t } = useTranslation();
  const { schema, form } = useDraft();
  const names = unknownFields(schema, form.values);
  if (names.length === 0) {
    return null;
  }
  return (
    <FormSection title={t('adminConfig.kept.title')} description={t('adminConfig.kept.about')}>
      <ul className={classes.names}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
