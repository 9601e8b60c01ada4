import '@mantine/core/styles/Radio.layer.css';
import { inboxApi, maxCommentLength } from '@knowhow/shared/skills/inbox';
import { Modal, Radio, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import type { DecisionDialogProps } from './close-dialog.tsx';
import classes from './inbox-page.module.css';
import { useDecision } from './use-decision.ts';

/** Grants the requested skill to a group of the sender, and says how many people get it. */
export function GrantDialog({ item, onClose, onDone }: DecisionDialogProps) {
  const { t } = useTranslation();
  const [group, setGroup] = useState('');
  const [reply, setReply] = useState('');
  const params = { id: item.id };
  const groups = useQuery({ ...query(inboxApi.groups, { params }), staleTime: 0 });
  const granting = useDecision(
    () => call(inboxApi.grant, { params, body: { group, reply } }),
    onDone,
  );
  const items = groups.data?.items;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inbox.grantTitle', { skill: item.skill.title })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <DialogForm
        error={granting.error}
        isBusy={granting.isPending}
        isIncomplete={group === ''}
        submitLabel={t('inbox.grantNow')}
        onSubmit={granting.mutate}
        onCancel={onClose}
      >
        {groups.error && <ErrorNote error={groups.error} onRetry={() => groups.refetch()} />}
        {groups.isPending && (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={72} />
          </div>
        )}
        {items?.length === 0 && <p className={classes.note}>{t('inbox.noGroups')}</p>}
        {items && items.length > 0 && (
          <Radio.Group
            label={t('inbox.group', { name: item.from })}
            description={t('inbox.groupText')}
            value={group}
            onChange={setGroup}
          >
            <div className={classes.groups}>
              {items.map(({ id, name, people, hasGuests }) => (
                <Radio
                  key={id}
                  value={id}
                  label={name}
                  description={[
                    t('inbox.people', { count: people }),
                    ...(hasGuests ? [t('inbox.withGuests')] : []),
                  ].join(' ')}
                />
              ))}
            </div>
          </Radio.Group>
        )}
        <LimitedTextarea
          label={t('inbox.reply')}
          value={reply}
          onChange={(event) => setReply(event.currentTarget.value)}
          maxLength={maxCommentLength}
          rows={3}
        />
      </DialogForm>
    </Modal>
  );
}
