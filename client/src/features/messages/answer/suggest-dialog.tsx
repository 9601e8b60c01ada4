import '@mantine/core/styles/Checkbox.layer.css';
import { inboxApi, maxCommentLength } from '@knowhow/shared/skills/inbox';
import { Checkbox, Modal, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter } from '../../../api/query.ts';
import { DialogForm } from '../../../ui/forms/dialog-form.tsx';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { ThreadStateContext } from '../thread-state.ts';

interface SuggestDialogProps {
  /** The answer, and the skills that it used. */
  answerId: string;
  skills: readonly string[];
  onClose: () => void;
}

/** Sends a suggestion about a skill to its owner. */
export function SuggestDialog({ answerId, skills, onClose }: SuggestDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { isTemporary = false } = useContext(ThreadStateContext);
  const [skill, setSkill] = useState(skills[0] ?? '');
  const [comment, setComment] = useState('');
  const [withExchange, setWithExchange] = useState(false);
  const sending = useMutation({
    mutationFn: () =>
      call(inboxApi.suggest, { params: { id: answerId }, body: { skill, comment, withExchange } }),
    onSuccess: () => {
      onClose();
      notifications.show({
        message: t('suggest.sent'),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      return Promise.all(
        [inboxApi.list, inboxApi.summary].map((endpoint) =>
          queryClient.invalidateQueries(endpointQueryFilter(endpoint)),
        ),
      );
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('suggest.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <DialogForm
        about={
          <>
            {t('suggest.about')}
            {isTemporary && (
              <>
                <br />
                {t('suggest.temporary')}
              </>
            )}
          </>
        }
        error={sending.error}
        isBusy={sending.isPending}
        isIncomplete={comment.trim() === ''}
        submitLabel={t('suggest.send')}
        onSubmit={sending.mutate}
        onCancel={onClose}
      >
        {skills.length > 1 ? (
          <NativeSelect
            label={t('suggest.skill')}
            value={skill}
            data={[...skills]}
            onChange={(event) => setSkill(event.currentTarget.value)}
          />
        ) : null}
        <LimitedTextarea
          label={t('suggest.comment', { skill })}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          maxLength={maxCommentLength}
          rows={4}
          required
          data-autofocus
        />
        <Checkbox
          label={t('suggest.withExchange')}
          description={t(
            isTemporary ? 'suggest.withExchangeTemporary' : 'suggest.withExchangeText',
          )}
          checked={withExchange}
          onChange={(event) => setWithExchange(event.currentTarget.checked)}
        />
      </DialogForm>
    </Modal>
  );
}
