import type { InboxItem } from '@knowhow/shared/skills/inbox';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { Expander } from '../../ui/layout/expander.tsx';
import cards from '../../ui/layout/item-cards.module.css';
import { useRight } from '../../ui/rights.ts';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { CloseDialog } from './close-dialog.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import classes from './inbox-page.module.css';

interface InboxRowProps {
  item: InboxItem;
  /** Whether the reader has sent it. */
  isSent: boolean;
  onClosed: () => void;
}

const kindTexts = { suggestion: 'inbox.suggestion', access: 'inbox.access' } as const;
const stateTexts = {
  open: 'inbox.isOpen',
  done: 'inbox.isDone',
  granted: 'inbox.isGranted',
} as const;

/** A suggestion or a request, with what the reader can do about it. */
export function InboxRow({ item, isSent, onClosed }: InboxRowProps) {
  const { t } = useTranslation();
  const { date, relativeDate } = useFormat();
  const { kind, state, skill, from, createdAt, comment, evidence, closed } = item;
  const title = t(kindTexts[kind], { skill: skill.title });
  return (
    <li className={cards.card}>
      <h2 className={cards.name}>{title}</h2>
      <p className={cards.facts}>
        {!isSent && <span>{from ?? t('inbox.deletedAccount')}</span>}
        <span title={date(createdAt)}>{relativeDate(createdAt)}</span>
        {(isSent || state !== 'open') && (
          <span className={classes.state} data-state={state}>
            {t(stateTexts[state])}
          </span>
        )}
      </p>
      {comment !== '' && <p className={classes.comment}>{comment}</p>}
      {evidence && (
        <Expander summary={t('inbox.evidence')}>
          <dl className={classes.evidence}>
            <dt>{t('inbox.question')}</dt>
            <dd>
              <PlainText text={evidence.question} />
            </dd>
            <dt>{t('inbox.answer')}</dt>
            <dd>
              <PlainText text={evidence.answer} />
            </dd>
          </dl>
        </Expander>
      )}
      {closed?.reply && (
        <blockquote className={classes.reply}>
          <p className={classes.comment}>{closed.reply}</p>
          <footer className={cards.facts}>
            <span>{closed.by}</span>
            <span title={date(closed.at)}>{relativeDate(closed.at)}</span>
          </footer>
        </blockquote>
      )}
      <Actions item={item} isSent={isSent} onClosed={onClosed} />
    </li>
  );
}

function Actions({ item, isSent, onClosed }: InboxRowProps) {
  const { t } = useTranslation();
  const [action, setAction] = useState<'close' | 'grant'>();
  useFocusBack(action !== undefined);
  const isAdmin = useRight('skills');
  const { skill, state, mayGrant } = item;
  const mayEdit = (isAdmin || item.mayEdit === true) && !isSent;
  const isReceived = !isSent && state === 'open';
  const name = skill.name === undefined ? undefined : encodeURIComponent(skill.name);
  if (!isReceived && name === undefined) {
    return null;
  }
  const dialog = {
    item,
    onClose: () => setAction(undefined),
    onDone: () => {
      setAction(undefined);
      onClosed();
    },
  };
  return (
    <div className={classes.actions}>
      {mayGrant && (
        <Button size="xs" onClick={() => setAction('grant')}>
          {t('inbox.grant')}
        </Button>
      )}
      {isReceived && (
        <Button size="xs" variant="default" onClick={() => setAction('close')}>
          {t('inbox.close')}
        </Button>
      )}
      {name !== undefined && (
        <Button
          size="xs"
          variant="subtle"
          component={Link}
          to={mayEdit ? `/admin/skills/${name}` : `/skills/${name}`}
        >
          {t('inbox.openSkill')}
        </Button>
      )}
      {action === 'close' && <CloseDialog {...dialog} />}
      {action === 'grant' && <GrantDialog {...dialog} />}
    </div>
  );
}
