import { inboxApi, maxCommentLength } from '@knowhow/shared/skills/inbox';
import { libraryApi, type RequestableSkill } from '@knowhow/shared/skills/library';
import { Button, Modal } from '@mantine/core';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, pages } from '../../api/query.ts';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import cards from '../../ui/layout/item-cards.module.css';
import { Section } from '../../ui/layout/section.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './library-page.module.css';

/** Skills that the user may not use, and to which they can request access; nothing if there are none. */
export function RequestableSkills({ query }: { query: string }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    ...pages(libraryApi.requestable, { query: { limit: 24, ...(query === '' ? {} : { query }) } }),
    placeholderData: keepPreviousData,
  });
  const skills = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (skills.length === 0) {
    return list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />;
  }
  return (
    <div className={classes.requestable}>
      <Section title={t('library.onRequest')} text={t('library.onRequestText')}>
        <ul className={classes.cards} aria-label={t('library.onRequest')}>
          {skills.map((skill) => (
            <RequestableCard key={skill.name} skill={skill} />
          ))}
        </ul>
        <MoreButton list={list} />
      </Section>
    </div>
  );
}

function RequestableCard({ skill }: { skill: RequestableSkill }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(isAsking, heading);
  const { owner, isRequested } = skill;
  const { title, description } = useLocalizeSkill()(skill);
  return (
    <li className={cards.card}>
      <h3 ref={heading} tabIndex={-1} className={cards.name}>
        {title}
      </h3>
      <p className={cards.description}>{description}</p>
      {owner && <p className={cards.facts}>{t('library.ownedBy', { owner })}</p>}
      {isRequested ? (
        <p className={cards.facts} role="status">
          {t('library.requested')}
        </p>
      ) : (
        <Button
          className={classes.request}
          size="xs"
          variant="default"
          aria-label={t('library.requestFor', { name: title })}
          onClick={() => setAsking(true)}
        >
          {t('library.request')}
        </Button>
      )}
      {isAsking && <RequestDialog skill={skill} onClose={() => setAsking(false)} />}
    </li>
  );
}

function RequestDialog({ skill, onClose }: { skill: RequestableSkill; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [message, setMessage] = useState('');
  const { name } = skill;
  const { title } = useLocalizeSkill()(skill);
  const sending = useMutation({
    mutationFn: () => call(libraryApi.request, { params: { name }, body: { message } }),
    onSuccess: async () => {
      await Promise.all(
        [libraryApi.requestable, inboxApi.list, inboxApi.summary].map((endpoint) =>
          queryClient.invalidateQueries(endpointQueryFilter(endpoint)),
        ),
      );
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('library.requestFor', { name: title })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <DialogForm
        about={t('library.requestAbout')}
        error={sending.error}
        isBusy={sending.isPending}
        submitLabel={t('library.sendRequest')}
        onSubmit={sending.mutate}
        onCancel={onClose}
      >
        <LimitedTextarea
          label={t('library.requestMessage')}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          maxLength={maxCommentLength}
          rows={4}
          data-autofocus
        />
      </DialogForm>
    </Modal>
  );
}
