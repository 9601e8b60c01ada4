import { type InboxItem, inboxApi, maxCommentLength } from '@knowhow/shared/skills/inbox';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import { useDecision } from './use-decision.ts';

export interface DecisionDialogProps {
  item: InboxItem;
  onClose: () => void;
  onDone: () => void;
}

/** Closes an item with an optional reply. */
export function CloseDialog({ item: { id }, onClose, onDone }: DecisionDialogProps) {
  const { t } = useTranslation();
  const [reply, setReply] = useState('');
  const closing = useDecision(
    () => call(inboxApi.close, { params: { id }, body: { reply } }),
    onDone,
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inbox.closeTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <DialogForm
        error={closing.error}
        isBusy={closing.isPending}
        submitLabel={t('inbox.closeNow')}
        onSubmit={closing.mutate}
        onCancel={onClose}
      >
        <LimitedTextarea
          label={t('inbox.reply')}
          description={t('inbox.replyText')}
          value={reply}
          onChange={(event) => setReply(event.currentTarget.value)}
          maxLength={maxCommentLength}
          rows={4}
          data-autofocus
        />
      </DialogForm>
    </Modal>
  );
}
