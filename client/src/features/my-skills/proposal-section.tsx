import { mySkillsApi, type PersonalSkillDetail } from '@knowhow/shared/skills/personal-skills';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { Button, Modal } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { CommentThread } from '../../ui/comments/comment-thread.tsx';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import cards from '../../ui/layout/item-cards.module.css';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './my-skills.module.css';
import { ProposalState } from './proposal-state.tsx';
import { refreshMySkills } from './refresh-my-skills.ts';

/** Proposes a skill to the organisation, and shows what has become of the proposal. */
export function ProposalSection({ skill }: { skill: PersonalSkillDetail }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(query(mySkillsApi.list, {}));
  const { name, proposal } = skill;
  const withdraw = useMutation({
    mutationFn: () => call(mySkillsApi.withdraw, { params: { name } }),
    onSuccess: (changed) => refreshMySkills(queryClient, { ...skill, ...changed }),
  });
  if (data?.level !== 'propose') {
    return null;
  }
  return (
    <>
      <Section title={t('mySkills.propose')} text={t('mySkills.proposeAbout')}>
        <div className={classes.proposed}>
          {proposal && (
            <p className={cards.facts}>
              <ProposalState state={proposal.state} />
              {date(proposal.created)}
            </p>
          )}
          {proposal?.comment && <p className={classes.comment}>{proposal.comment}</p>}
          {withdraw.error && <ErrorNote error={withdraw.error} />}
          <div className={classes.actions}>
            {proposal?.state === 'open' ? (
              <Button
                variant="default"
                loading={withdraw.isPending}
                onClick={() => withdraw.mutate()}
              >
                {t('mySkills.withdraw')}
              </Button>
            ) : (
              <Button
                variant="default"
                leftSection={<IconSend size={17} aria-hidden />}
                onClick={() => setOpen(true)}
              >
                {t('mySkills.proposeAction')}
              </Button>
            )}
          </div>
        </div>
        <Modal
          opened={isOpen}
          onClose={() => setOpen(false)}
          title={t('mySkills.proposeTitle', { name })}
          closeButtonProps={{ 'aria-label': t('action.close') }}
          centered
        >
          <ProposeForm skill={skill} onClose={() => setOpen(false)} />
        </Modal>
      </Section>
      {proposal && <ProposalComments name={name} created={proposal.created} />}
    </>
  );
}

function ProposalComments({ name, created }: { name: string; created: string }) {
  const params = { name };
  return (
    <CommentThread
      // Another proposal of the skill has other comments.
      queryKey={[...query(mySkillsApi.comments, { params }).queryKey, created]}
      load={() => call(mySkillsApi.comments, { params })}
      onAdd={(text) => call(mySkillsApi.comment, { params, body: { text } })}
      onRemove={(comment) => call(mySkillsApi.removeComment, { params: { name, comment } })}
    />
  );
}

function ProposeForm({ skill, onClose }: { skill: PersonalSkillDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [message, setMessage] = useState('');
  const propose = useMutation({
    mutationFn: () =>
      call(mySkillsApi.propose, { params: { name: skill.name }, body: { message } }),
    onSuccess: (changed) => {
      refreshMySkills(queryClient, { ...skill, ...changed });
      onClose();
    },
  });
  return (
    <DialogForm
      about={t('mySkills.proposeText')}
      error={propose.error}
      isBusy={propose.isPending}
      isIncomplete={message.trim() === ''}
      submitLabel={t('mySkills.proposeSend')}
      onSubmit={() => propose.mutate()}
      onCancel={onClose}
    >
      <LimitedTextarea
        label={t('mySkills.proposeMessage')}
        data-autofocus
        value={message}
        maxLength={maxVersionMessage}
        rows={4}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
