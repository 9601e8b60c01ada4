import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { JsonField } from '../json-field.tsx';
import { SectionContext, useSectionList } from '../sections/section-list.ts';
import { SectionRail } from '../sections/section-rail.tsx';
import { ConfigErrorNote } from './config-error-note.tsx';
import { useDraft } from './draft-context.ts';
import classes from './item-page.module.css';
import { SaveBar } from './save-bar.tsx';
import { unknownFields } from './unknown-fields.ts';
import type { useSaveItem } from './use-save-item.ts';

interface EditorBodyProps {
  saving: ReturnType<typeof useSaveItem>;
  /** The form. */
  children: ReactNode;
  facts?: ReactNode;
}

/** The editor, as form or JSON, with errors and the save bar. */
export function EditorBody({ saving, children, facts }: EditorBodyProps) {
  const { t } = useTranslation();
  const { item, text, isBack, toggleText } = useDraft();
  const sections = useSectionList();
  return (
    <>
      {isBack && (
        <p className={classes.back} role="status">
          {t('adminConfig.back')}
        </p>
      )}
      {item.fault && <ConfigErrorNote fault={item.fault} />}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Tabs
            value={text === undefined ? 'fields' : 'json'}
            onChange={toggleText}
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="fields">{t('adminConfig.fields')}</Tabs.Tab>
              <Tabs.Tab value="json">{t('adminConfig.json.tab')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="fields" className={classes.form}>
              <SectionContext value={sections.register}>
                {children}
                <UnknownFieldsNote />
              </SectionContext>
            </Tabs.Panel>
            <Tabs.Panel value="json" className={classes.json}>
              <JsonField />
            </Tabs.Panel>
          </Tabs>
        </div>
        <div className={classes.aside}>
          {sections.entries.length > 1 && <SectionRail entries={sections.entries} />}
          <aside className={classes.facts}>{facts}</aside>
        </div>
      </div>
      <SaveBar saving={saving} />
    </>
  );
}

/** Unknown fields of the file, which are preserved. */
function UnknownFieldsNote() {
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
