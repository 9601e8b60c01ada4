import { conversationExportApi, exportFormats } from '@knowhow/shared/chat/conversation-export';
import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { Button, Checkbox, Modal } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buildUrl, send } from '../../../api/request.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import '../../../ui/mantine-fields.css';
import { styleNonce } from '../../../ui/style-nonce.ts';
import classes from './export-dialog.module.css';
import share from './share-dialog.module.css';

interface ExportDialogProps {
  conversation: ConversationSummary;
  onClose: () => void;
}

/** Exports or prints a conversation. */
export function ExportDialog({ conversation: { id, title }, onClose }: ExportDialogProps) {
  const { t } = useTranslation();
  const [withDetails, setWithDetails] = useState(false);
  const query = withDetails ? { details: 'true' as const } : {};
  const print = useMutation({ mutationFn: () => printConversation(id, withDetails) });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('export.title', { title })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <div className={share.body}>
        <Checkbox
          label={t('share.details')}
          description={t('export.detailsAbout')}
          checked={withDetails}
          onChange={(event) => setWithDetails(event.currentTarget.checked)}
        />
        <ul className={classes.formats}>
          {exportFormats.map((format) => (
            <li key={format}>
              <Button
                component="a"
                variant="default"
                href={buildUrl(conversationExportApi.export, {
                  params: { id },
                  query: { format, ...query },
                })}
                download
                leftSection={<IconDownload size={17} aria-hidden />}
              >
                {t(formatNames[format])}
              </Button>
              <span>{t(formatTexts[format])}</span>
            </li>
          ))}
          <li>
            <Button
              variant="default"
              leftSection={<IconPrinter size={17} aria-hidden />}
              loading={print.isPending}
              onClick={() => print.mutate()}
            >
              {t('export.print')}
            </Button>
            <span>{t('export.printAbout')}</span>
          </li>
        </ul>
        {print.error && <ErrorNote error={print.error} />}
      </div>
    </Modal>
  );
}

const formatNames = {
  markdown: 'export.markdown',
  html: 'export.html',
  json: 'export.json',
  zip: 'export.zip',
} as const;

const formatTexts = {
  markdown: 'export.markdownAbout',
  html: 'export.htmlAbout',
  json: 'export.jsonAbout',
  zip: 'export.zipAbout',
} as const;

/**
 * Prints the exported HTML page of a conversation, including content that is collapsed or not rendered yet in
 * the chat. Throws a `Problem` or `Unreachable`.
 */
async function printConversation(id: string, withDetails: boolean): Promise<void> {
  const query = { format: 'html' as const, ...(withDetails ? { details: 'true' as const } : {}) };
  const response = await send(conversationExportApi.export, { params: { id }, query }, {});
  const page = await response.text();
  const frame = document.createElement('iframe');
  // Contains no scripts; it is printed from here.
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
  frame.setAttribute('aria-hidden', 'true');
  frame.hidden = true;
  frame.srcdoc = page.replace('<style>', `<style nonce="${styleNonce()}">`);
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow?.print();
}
