import {
  conversationImportApi,
  type ImportReport,
  maxImportBytes,
} from '@knowhow/shared/chat/conversation-import';
import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { Button, Modal, Progress } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter, query } from '../../../api/query.ts';
import { upload } from '../../../api/upload.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { focusHere } from '../../../ui/focus/focus-here.ts';
import { newId } from '../../../ui/new-id.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { ImportLosses } from './import-losses.tsx';
import classes from './import-plan.module.css';
import { ImportPlan } from './import-plan.tsx';
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

const lookMs = 700;

/** The number of imported conversations; unknown until the server has read the file. */
function ImportProgress({ id }: { id: string }) {
  const { t } = useTranslation();
  const progress = useQuery({
    ...query(conversationImportApi.progress, { params: { id } }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: lookMs,
  });
  const { done = 0, total = 0 } = progress.data ?? {};
  const words = total > 0 ? t('importing.running', { done, total }) : t('importing.reading');
  return (
    <div>
      <p ref={focusHere} tabIndex={-1} role="status">
        {words}
      </p>
      <Progress aria-label={words} value={total > 0 ? (100 * done) / total : 0} animated />
    </div>
  );
}

interface ImportDoneProps {
  id: string;
  report: ImportReport;
  onUndone: () => unknown;
  onClose: () => void;
}

/** The result of an import, which can be undone. */
function ImportDone({ id, report, onUndone, onClose }: ImportDoneProps) {
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

interface ChooseImportProps {
  onFile: (file: File) => void;
  /** Upload progress, from 0 to 1; undefined without an upload. */
  sent: number | undefined;
}

/** The file picker of an import, with its progress. */
function ChooseImport({ onFile, sent }: ChooseImportProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const percent = Math.floor((sent ?? 0) * 100);
  const words = sent === 1 ? t('importing.reading') : t('importing.sending', { percent });
  return (
    <>
      <p className={share.about}>{t('importing.about', { most: bytes(maxImportBytes) })}</p>
      {sent === undefined ? (
        <div>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('importing.choose')}
            accept=".json,.zip"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) {
                onFile(file);
              }
              // So that the same file can be chosen again.
              currentTarget.value = '';
            }}
          />
          <Button
            leftSection={<IconFileImport size={17} aria-hidden />}
            onClick={() => input.current?.click()}
            data-autofocus
          >
            {t('importing.choose')}
          </Button>
        </div>
      ) : (
        <div>
          <p role="status">{words}</p>
          <Progress aria-label={words} value={percent} animated={sent === 1} />
        </div>
      )}
    </>
  );
}

type ListedImport = (typeof conversationImportApi.list.response)['_output']['items'][number];

/** Earlier imports with remaining conversations; each can be undone at any time. */
function EarlierImports({ onUndone }: { onUndone: () => unknown }) {
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
