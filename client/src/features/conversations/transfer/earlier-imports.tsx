import { conversationImportApi } from '@knowhow/shared/chat/conversation-import';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { focusHere } from '../../../ui/focus/focus-here.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './import-plan.module.css';
import share from './share-dialog.module.css';

type ListedImport = (typeof conversationImportApi.list.response)['_output']['items'][number];

/** Earlier imports with remaining conversations; each can be undone at any time. */
export function EarlierImports({ onUndone }: { onUndone: () => unknown }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const imports = useQuery({ ...query(conversationImportApi.list, {}), staleTime: 0 });
  const [asked, setAsked] = useState<ListedImport>();
  const undo = useMutation({
    mutationFn: (id: string) => call(conversationImportApi.undo, { params: { id } }),
    onSuccess: () => setAsked(undefined),
    onSettled: () => Promise.all([imports.refetch(), onUndone()]),
  });
  const wordsOf = ({ createdAt, conversations: count }: ListedImport) =>
    `${date(createdAt)} · ${t('importing.conversations', { count })}`;
  const items = imports.data?.items ?? [];
  return (
    <>
      {undo.data && (
        <p ref={focusHere} tabIndex={-1} role="status" className={classes.sum}>
          {t('importing.undone', { count: undo.data.removed })}
        </p>
      )}
      {items.length > 0 && (
        <section>
          <h3 className={classes.heading}>{t('importing.earlier')}</h3>
          <ul className={classes.earlier}>
            {items.map((each) => (
              <li key={each.id} className={share.actions}>
                <span>{wordsOf(each)}</span>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('importing.undoOf', { what: wordsOf(each) })}
                  onClick={() => {
                    undo.reset();
                    setAsked(each);
                  }}
                >
                  {t('importing.undoAsk')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConfirmDialog
        opened={asked !== undefined}
        title={t('importing.undoTitle')}
        confirmLabel={t('importing.undo')}
        isBusy={undo.isPending}
        error={undo.error}
        onConfirm={() => asked && undo.mutate(asked.id)}
        onClose={() => setAsked(undefined)}
      >
        {asked && t('importing.undoText', { count: asked.conversations })}
      </ConfirmDialog>
    </>
  );
}
