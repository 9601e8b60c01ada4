import { conversationImportApi } from '@knowhow/shared/chat/conversation-import';
import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQueryFilter } from '../../../api/query.ts';
import { upload } from '../../../api/upload.ts';
import { newId } from '../../../ui/new-id.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { ChooseImport } from './choose-import.tsx';
import { EarlierImports } from './earlier-imports.tsx';
import { ImportDone } from './import-done.tsx';
import { ImportPlan } from './import-plan.tsx';
import { ImportProgress } from './import-progress.tsx';
import share from './share-dialog.module.css';

/** Imports conversations from other products: file, preview, result. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [sent, setSent] = useState(0);
  const onList = () => queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
  const plan = useMutation({
    mutationFn: async (file: File) => {
      setSent(0);
      const options = { onProgress: setSent };
      return { file, report: await upload(conversationImportApi.plan, { file }, options) };
    },
  });
  const run = useMutation({
    mutationFn: ({ id, file, app }: { id: string; file: File; app: string }) =>
      upload(conversationImportApi.import, { file, params: { id }, query: { app } }),
    onSettled: onList,
  });
  const again = () => {
    plan.reset();
    run.reset();
  };
  const isBusy = plan.isPending || run.isPending;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('importing.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      closeOnClickOutside={!isBusy}
      size="lg"
      centered
    >
      <div className={share.body}>
        {!plan.data && (
          <ChooseImport onFile={plan.mutate} sent={plan.isPending ? sent : undefined} />
        )}
        {!plan.data && !plan.isPending && <EarlierImports onUndone={onList} />}
        {plan.error && <ErrorNote error={plan.error} />}
        {plan.data && !run.isPending && !run.data && (
          <ImportPlan
            report={plan.data.report}
            onAnother={again}
            onRun={(app) => run.mutate({ id: newId(), file: plan.data.file, app })}
          />
        )}
        {run.isPending && <ImportProgress id={run.variables.id} />}
        {run.error && <ErrorNote error={run.error} />}
        {run.data && (
          <ImportDone id={run.variables.id} report={run.data} onUndone={onList} onClose={onClose} />
        )}
      </div>
    </Modal>
  );
}
