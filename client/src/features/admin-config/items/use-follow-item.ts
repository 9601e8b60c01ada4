import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { useEffect } from 'react';
import type { ItemDraft } from './use-item-draft.ts';
import type { useSaveItem } from './use-save-item.ts';

interface Followed {
  /** As the server has it now. */
  initial: ConfigItem;
  draft: ItemDraft;
  saving: ReturnType<typeof useSaveItem>;
}

/** Takes over somebody else's change, as long as nothing is lost by it. */
export function useFollowItem({ initial, draft, saving }: Followed): void {
  const { item, isDirty, load } = draft;
  useEffect(() => {
    if (!isDirty && !saving.isSaving && initial.checksum !== item.checksum) {
      load(initial);
    }
  }, [initial, item, isDirty, saving.isSaving, load]);
}
