import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { useHotkeys } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import { getDisplayName } from '../get-display-name.ts';
import { configSchemas, kindTexts } from './config-kind.ts';
import { DeleteItem } from './delete-item.tsx';
import { DraftContext } from './draft-context.ts';
import { EditorBody } from './editor-body.tsx';
import { useFollowItem } from './use-follow-item.ts';
import { useItemDraft } from './use-item-draft.ts';
import { useItemStore } from './use-item-store.ts';
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
  const source = { key: kind, schema: configSchemas[kind], hasId: true };
  const draft = useItemDraft(source, initial);
  const { item, isDirty } = draft;
  const saving = useSaveItem(draft, useItemStore(kind, initial.id));
  const warning = useUnsavedWarning(isDirty, draft.forget);
  useHotkeys([['mod+S', saving.save]], []);

  useFollowItem({ initial, draft, saving });

  function onDeleted() {
    warning.letGo();
    draft.forget();
  }

  return (
    <DraftContext value={draft}>
      <PageFrame
        title={getDisplayName(item, localize)}
        back={{ to: `/admin/${kind}`, label: t(kindTexts[kind].title) }}
        status={<ItemStatus item={item} />}
        actions={<DeleteItem kind={kind} losses={losses} onDeleted={onDeleted} />}
      >
        <EditorBody saving={saving} facts={facts}>
          {children}
        </EditorBody>
        {warning.question}
      </PageFrame>
    </DraftContext>
  );
}

/** Groups cannot be disabled. */
function ItemStatus({ item: { config, fault } }: { item: ConfigItem }) {
  if (fault) {
    return <StatusBadge status="broken" />;
  }
  const enabled = config?.enabled;
  return typeof enabled === 'boolean' && <StatusBadge status={enabled ? 'on' : 'off'} />;
}
