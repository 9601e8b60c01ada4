import { Problem } from '@knowhow/shared/problem';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { configApis } from './config-kind.ts';
import type { ItemDraft } from './use-item-draft.ts';
import { usePutItem } from './use-put-item.ts';

/** Saves what is being edited, also when someone else saved it meanwhile. */
export function useSaveItem({ kind, item, form, isDirty, check, load }: ItemDraft) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const put = usePutItem(kind);

  const theirs = () =>
    queryClient.fetchQuery({
      ...query(configApis[kind].get, { params: { id: item.id } }),
      staleTime: 0,
    });

  const saving = useMutation({
    mutationFn: async ({ overTheirs = false }: { overTheirs?: boolean }) => {
      const config = check();
      if (config === undefined) {
        requestAnimationFrame(focusInvalid);
        return;
      }
      const { checksum } = overTheirs ? await theirs() : item;
      load(await put({ id: item.id, config, checksum }));
      notifications.hide('item-saved');
      notifications.show({
        id: 'item-saved',
        message: t('adminConfig.saved', { id: item.id }),
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
      load(await theirs());
      saving.reset();
    },
  });

  return {
    save: () => isDirty && saving.mutate({}),
    overwrite: () => saving.mutate({ overTheirs: true }),
    loadTheirs: () => loading.mutate(),
    isSaving: saving.isPending,
    error: loading.error ?? saving.error,
    /** Someone else saved it after it was read here. */
    isOutdated: saving.error instanceof Problem && saving.error.code === 'changed-meanwhile',
  };
}

/** Goes to the first field that says what is wrong with it. */
function focusInvalid(): void {
  document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
