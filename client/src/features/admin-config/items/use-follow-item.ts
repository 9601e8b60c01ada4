import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { useEffect } from 'react';
import type { ItemDraft } from './use-item-draft.ts';
import type { useSaveItem } from './use-save-item.ts';

interface Followed {
  /** The server's current version. */
  initial: ConfigItem;
  draft: ItemDraft;
  saving: ReturnType<typeof useSaveItem>;
}

/** Applies another user's change, unless it would discard local edits. */
export function useFollowItem({ initial, draft, saving }: Followed): void {
  const { item, isDirty, load } = draft;
  useEffect(() => {
    if (!isDirty && !saving.isSaving && initial.checksum !== item.checksum) {
      load(initial);
    }
  }, [initial, item, isDirty, saving.isSaving, load]);
}
