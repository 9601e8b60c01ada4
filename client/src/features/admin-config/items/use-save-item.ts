import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { Problem } from '@knowhow/shared/problem';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Config } from './config-value.ts';
import type { ItemDraft } from './use-item-draft.ts';

/** Reads and writes an item. */
export interface ItemStore {
  newest: { queryKey: readonly unknown[]; queryFn: () => Promise<ConfigItem> };
  /** Throws `changed-meanwhile` if the version has changed since it was read. */
  put: (config: Config, checksum: string) => Promise<ConfigItem>;
  /** Its display name. */
  name: string;
}

/** Saves the draft, and handles a conflict with another user's version. */
export function useSaveItem(
  { item, form, isDirty, check, load }: ItemDraft,
  { newest: query, put, name }: ItemStore,
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();

  const newest = { ...query, staleTime: 0 };
  const fetchTheirs = () => queryClient.fetchQuery(newest);

  const saving = useMutation({
    mutationFn: async ({ over = item }: { over?: ConfigItem }) => {
      const config = check();
      if (config === undefined) {
        requestAnimationFrame(focusInvalid);
        return;
      }
      load(await put(config, over.checksum));
      notifications.hide('item-saved');
      notifications.show({
        id: 'item-saved',
        message: t('adminConfig.saved', { id: name }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
    },
    onError: (error) => {
      if (error instanceof Problem && error.issues) {
        form.setErrors(
          Object.fromEntries(error.issues.map((issue) => [issue.path, issue.message])),
        );
      }
    },
  });
  const loading = useMutation({
    mutationFn: async () => {
      load(await fetchTheirs());
      saving.reset();
    },
  });

  const isOutdated = saving.error instanceof Problem && saving.error.code === 'changed-meanwhile';
  const { data } = useQuery({ ...newest, enabled: isOutdated });
  const theirs = isOutdated && data?.checksum !== item.checksum ? data : undefined;

  return {
    save: () => isDirty && saving.mutate({}),
    /** Overwrites only the version that was shown. */
    overwrite: () => saving.mutate({ over: theirs }),
    discard: () => {
      load(item);
      saving.reset();
    },
    loadTheirs: () => loading.mutate(),
    isSaving: saving.isPending,
    isLoading: loading.isPending,
    loadingError: loading.error,
    error: saving.error,
    /** Whether another user saved it after it was read here. */
    isOutdated,
    /** Their version, once loaded. */
    theirs,
  };
}

/** Focuses the first field with an error. */
function focusInvalid(): void {
  document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
