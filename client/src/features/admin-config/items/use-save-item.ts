import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { Problem } from '@knowhow/shared/problem';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Config } from './config-value.ts';
import type { ItemDraft } from './use-item-draft.ts';

/** Where an item is read from and written to. */
export interface ItemStore {
  newest: { queryKey: readonly unknown[]; queryFn: () => Promise<ConfigItem> };
  /** Throws `changed-meanwhile` when it is no longer the one that was read. */
  put: (config: Config, checksum: string) => Promise<ConfigItem>;
  /** What people call it. */
  name: string;
}

/** Saves what is being edited, also when someone else saved it meanwhile. */
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
    /** Only over the version that was shown. */
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
    /** Someone else saved it after it was read here. */
    isOutdated,
    /** What they saved, once it is read. */
    theirs,
  };
}

/** Goes to the first field that says what is wrong with it. */
function focusInvalid(): void {
  document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
