import type { ConfigItem, ConfigKind } from '@knowhow/shared/admin-config';
import { Tabs } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import { JsonField } from '../json-field.tsx';
import { nameOf } from '../name-of.ts';
import { SectionContext, useSectionList } from '../sections/section-list.ts';
import { SectionRail } from '../sections/section-rail.tsx';
import { kindTexts } from './config-kind.ts';
import { DeleteItem } from './delete-item.tsx';
import { DraftContext } from './draft-context.ts';
import { FaultNote } from './fault-note.tsx';
import classes from './item-page.module.css';
import { KeptFields } from './kept-fields.tsx';
import { SaveBar } from './save-bar.tsx';
import { useItemDraft } from './use-item-draft.ts';
import { useSaveItem } from './use-save-item.ts';

interface ItemEditorProps {
  kind: ConfigKind;
  initial: ConfigItem;
  children: ReactNode;
  facts?: ReactNode;
  losses: string[];
}

export function ItemEditor({ kind, initial, children, facts, losses }: ItemEditorProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const draft = useItemDraft(kind, initial);
  const { item, text, isDirty, load, toggleText } = draft;
  const saving = useSaveItem(draft);
  const sections = useSectionList();
  const warning = useUnsavedWarning(isDirty, draft.forget);
  useHotkeys([['mod+S', saving.save]], []);

  // Somebody else's change, as long as nothing is lost by taking it over.
  useEffect(() => {
    if (!isDirty && !saving.isSaving && initial.checksum !== item.checksum) {
      load(initial);
    }
  }, [initial, item, isDirty, saving.isSaving, load]);

  function onDeleted() {
    warning.letGo();
    draft.forget();
  }

  return (
    <DraftContext value={draft}>
      <PageFrame
        title={nameOf(item, localize)}
        back={{ to: `/admin/${kind}`, label: t(kindTexts[kind].title) }}
        status={<ItemStatus item={item} />}
        actions={<DeleteItem losses={losses} onDeleted={onDeleted} />}
      >
        {draft.isBack && (
          <p className={classes.back} role="status">
            {t('adminConfig.back')}
          </p>
        )}
        {item.fault && <FaultNote fault={item.fault} />}
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
                  <KeptFields />
                </SectionContext>
              </Tabs.Panel>
              <Tabs.Panel value="json" className={classes.json}>
                <JsonField />
              </Tabs.Panel>
            </Tabs>
          </div>
          <div className={classes.beside}>
            {sections.entries.length > 1 && <SectionRail entries={sections.entries} />}
            <aside className={classes.facts}>{facts}</aside>
          </div>
        </div>
        <SaveBar saving={saving} />
        {warning.question}
      </PageFrame>
    </DraftContext>
  );
}

/** Groups have no switch: all of them are on. */
function ItemStatus({ item: { config, fault } }: { item: ConfigItem }) {
  if (fault) {
    return <StatusBadge status="broken" />;
  }
  const enabled = config?.enabled;
  return typeof enabled === 'boolean' && <StatusBadge status={enabled ? 'on' : 'off'} />;
}
