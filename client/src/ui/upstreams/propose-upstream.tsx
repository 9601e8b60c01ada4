import { type SkillUpstream, skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import { Button, Modal, Textarea } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { DialogForm } from '../forms/dialog-form.tsx';

/** A button that pushes the files of a skill to a new branch of its repository. */
export function ProposeUpstream({ upstream }: { upstream: SkillUpstream }) {
  const { t } = useTranslation();
  const { source: id, name } = upstream;
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState('');
  const propose = useMutation({
    mutationFn: () =>
      call(skillUpstreamsApi.propose, { params: { id, name }, body: { message: message.trim() } }),
  });

  function close() {
    setOpen(false);
    setMessage('');
    propose.reset();
  }

  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('upstreams.proposeName', { name })}
        onClick={() => setOpen(true)}
      >
        {t('upstreams.propose')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('upstreams.proposeName', { name })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {propose.data ? (
          <div role="status">
            <p>
              {t('upstreams.pushed')} <code>{propose.data.branch}</code>
            </p>
            {propose.data.compareUrl !== undefined && (
              <Button
                component="a"
                href={propose.data.compareUrl}
                target="_blank"
                rel="noreferrer"
                rightSection={<IconExternalLink size={16} aria-hidden />}
              >
                {t('upstreams.compare')}
              </Button>
            )}
          </div>
        ) : (
          <DialogForm
            about={t('upstreams.proposeAbout')}
            error={propose.error}
            isBusy={propose.isPending}
            isIncomplete={message.trim() === ''}
            submitLabel={t('upstreams.push')}
            onSubmit={() => propose.mutate()}
            onCancel={close}
          >
            <Textarea
              label={t('upstreams.message')}
              rows={4}
              maxLength={2000}
              value={message}
              onChange={({ currentTarget }) => setMessage(currentTarget.value)}
              data-autofocus
            />
          </DialogForm>
        )}
      </Modal>
    </>
  );
}
