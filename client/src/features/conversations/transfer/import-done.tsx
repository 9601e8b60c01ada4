import { conversationImportApi, type ImportReport } from '@knowhow/shared/chat/conversation-import';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { focusHere } from '../../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { ImportLosses } from './import-losses.tsx';
import share from './share-dialog.module.css';

interface ImportDoneProps {
  id: string;
  report: ImportReport;
  onUndone: () => unknown;
  onClose: () => void;
}

/** The result of an import, which can be undone. */
export function ImportDone({ id, report, onUndone, onClose }: ImportDoneProps) {
  const { t } = useTranslation();
  const undo = useMutation({
    mutationFn: () => call(conversationImportApi.undo, { params: { id } }),
    onSettled: onUndone,
  });
  const count = report.conversations - report.known;
  return (
    <>
      <p ref={focusHere} tabIndex={-1} role="status">
        {undo.data
          ? t('importing.undone', { count: undo.data.removed })
          : `${t('importing.done', { count })} ${t('importing.where')}`}
      </p>
      {!undo.data && <ImportLosses losses={report.losses} full={report.full} />}
      {undo.error && <ErrorNote error={undo.error} />}
      <div className={share.actions}>
        {undo.data ? (
          <span />
        ) : (
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
            {t('importing.undo')}
          </Button>
        )}
        <Button onClick={onClose}>{t('action.close')}</Button>
      </div>
    </>
  );
}
