import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { findUnknownFields } from '@knowhow/shared/config/unknown-fields';
import { isRecord } from '@knowhow/shared/is-record';
import { Button, Kbd, Tabs, Textarea } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { TwoVersions } from '../../../ui/files/two-versions.tsx';
import { useFocusAfter } from '../../../ui/focus/use-focus-after.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import fieldsClasses from '../fields.module.css';
import { FormSection } from '../form-section.tsx';
import { SectionContext, useSectionList } from '../sections/section-list.ts';
import { SectionRail } from '../sections/section-rail.tsx';
import { parseConfig, serializeConfig } from './config-text.ts';
import type { Config } from './config-value.ts';
import { useDraft } from './draft-context.ts';
import ownClasses from './editor-body.module.css';
import classes from './item-page.module.css';
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
  const names = findUnknownFields(schema, form.values).map(({ path }) => path.join('.'));
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

/** Why an item's file is not used. */
function ConfigErrorNote({ fault }: { fault: NonNullable<ConfigItem['fault']> }) {
  const { t } = useTranslation();
  return (
    <div className={ownClasses.note}>
      <IconAlertCircle className={ownClasses.icon} size={18} aria-hidden />
      <div>
        <p className={ownClasses.title}>{t('adminConfig.fault.title')}</p>
        <p>
          {fault.field !== undefined && <code>{fault.field}</code>} {fault.message}
        </p>
        <p>{t('adminConfig.fault.about')}</p>
      </div>
    </div>
  );
}

/** Sticky while there are unsaved changes; shows why they cannot be saved. */
function SaveBar({ saving }: { saving: ReturnType<typeof useSaveItem> }) {
  const { t } = useTranslation();
  const { form, isDirty } = useDraft();
  const command = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : t('keys.ctrl');
  const diagnostics = Object.entries(form.errors).filter(([path]) => path !== '');
  const isShown = isDirty || saving.error !== null;
  useFocusAfter(isShown);
  if (!isShown) {
    return null;
  }
  return (
    <section className={ownClasses.bar} aria-label={t('adminConfig.unsaved')}>
      {saving.error &&
        (saving.isOutdated ? <ConflictNote saving={saving} /> : <ErrorNote error={saving.error} />)}
      {diagnostics.length > 0 && (
        <div role="alert">
          <ul className={ownClasses.diagnostics}>
            {diagnostics.map(([path, diagnostic]) => (
              <li key={path}>
                <code>{path}</code> {diagnostic}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={ownClasses.row}>
        <span className={ownClasses.state}>{t('adminConfig.unsaved')}</span>
        <Button variant="default" onClick={saving.discard}>
          {t('adminConfig.discard')}
        </Button>
        <Button onClick={saving.save} loading={saving.isSaving}>
          {t('adminConfig.save')}
          <Kbd className={ownClasses.keys} aria-hidden>{`${command} S`}</Kbd>
        </Button>
      </div>
    </section>
  );
}

/** Conflict: another user saved the item in the meantime. Shows the differences and asks which version to keep. */
function ConflictNote({ saving }: { saving: ReturnType<typeof useSaveItem> }) {
  const { t } = useTranslation();
  const { form, text } = useDraft();
  const [isAsked, setAsked] = useState(false);
  const { theirs } = saving;
  return (
    <>
      <ErrorNote error={outdated}>
        <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
          {t('adminConfig.outdated.load')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={saving.overwrite}>
          {t('adminConfig.outdated.overwrite')}
        </Button>
      </ErrorNote>
      {theirs && (
        <TwoVersions theirs={getItemText(theirs)} mine={getTextToSave(form.values, text)} />
      )}
      <ConfirmDialog
        title={t('adminConfig.outdated.question')}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={saving.loadTheirs}
        confirmLabel={t('adminConfig.outdated.load')}
        error={saving.loadingError}
        isBusy={saving.isLoading}
      >
        <p>{t('adminConfig.outdated.lost')}</p>
      </ConfirmDialog>
    </>
  );
}

function getItemText({ config, text }: ConfigItem): string {
  return config ? serializeConfig(config) : text;
}

/** The item as it would be saved, also while it is edited as JSON. */
function getTextToSave(values: Config, text: string | undefined): string {
  const config = text === undefined ? values : parseConfig(text);
  return isRecord(config) ? serializeConfig(config) : (text ?? '');
}

/** Without the server's message, which does not mention the two buttons. */
const outdated = { code: 'changed-meanwhile', message: '' };

/** The whole item as JSON: for unknown fields and invalid files. */
function JsonField() {
  const { t } = useTranslation();
  const { item, text, setText, form } = useDraft();
  return (
    <Textarea
      label={t('adminConfig.json.label', { path: item.path })}
      description={t('adminConfig.json.about')}
      classNames={{ input: fieldsClasses.code }}
      value={text ?? ''}
      error={form.errors['']}
      onChange={(event) => {
        setText(event.currentTarget.value);
        form.clearErrors();
      }}
      autosize
      minRows={16}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
    />
  );
}
