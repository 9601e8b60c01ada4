import type { Message } from '@knowhow/shared/chat/conversations';
import { UnstyledButton } from '@mantine/core';
import { IconBookmarkPlus, IconPencil } from '@tabler/icons-react';
import { memo, type Ref, Suspense, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { useIsPrinted } from '../../ui/use-is-printed.ts';
import classes from './question.module.css';
import { ThreadStateContext } from './thread-state.ts';

const LineSwitch = lazyPart(async () => (await import('./branch-switch.tsx')).BranchSwitch);
const AttachedFiles = lazyPart(async () => (await import('./attached-files.tsx')).AttachedFiles);

/** A collapsed text is truncated to this length, more than its lines show. */
const mostFolded = 2_000;

interface QuestionProps {
  question: Extract<Message, { role: 'user' }>;
  /** Undefined if it cannot be edited. */
  onEdit?: (id: string) => void;
  editButton?: Ref<HTMLButtonElement>;
  /** Label, if it is not the reader's own. */
  label?: string;
}

/** A user message. A long text is collapsed. */
export const Question = memo(function Question({ question, label, ...props }: QuestionProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { onEdit, editButton } = props;
  const { id, content, skills, attachments = [], lines } = question;
  const isLong = content.length > 1200 || content.split('\n').length > 14;
  const isPrinted = useIsPrinted();
  const isFolded = isLong && !open && !isPrinted;
  return (
    <article id={id} className={classes.question} aria-label={label ?? t('question.label')}>
      <div className={classes.row}>
        <div className={classes.block}>
          {skills.length > 0 && (
            <p className={classes.skills}>
              {skills.map((skill) => (
                <span key={skill} className={classes.skill}>
                  <Bolt size={14} />
                  {skill}
                </span>
              ))}
            </p>
          )}
          {attachments.length > 0 && (
            <Suspense>
              <AttachedFiles files={attachments} />
            </Suspense>
          )}
          {content.trim() !== '' && (
            <p className={classes.text} data-folded={isFolded || undefined}>
              <PlainText text={isFolded ? content.slice(0, mostFolded) : content} />
            </p>
          )}
          {isLong && (
            <UnstyledButton className={classes.more} onClick={() => setOpen(!open)}>
              {open ? t('question.less') : t('question.more')}
            </UnstyledButton>
          )}
        </div>
        <div className={classes.actions}>
          <CopyButton textOf={() => content} />
          <KeepButton text={content} />
          {onEdit && (
            <IconButton
              ref={editButton}
              label={t('action.edit')}
              icon={<IconPencil size={16} />}
              onClick={() => onEdit(id)}
            />
          )}
        </div>
      </div>
      {lines && (
        <Suspense>
          <LineSwitch lines={lines} question={id} />
        </Suspense>
      )}
    </article>
  );
});

/** Saves a message as a prompt, for users who can have prompts. */
function KeepButton({ text }: { text: string }) {
  const { t } = useTranslation();
  const { onKeep } = useContext(ThreadStateContext);
  return (
    onKeep && (
      <IconButton
        label={t('question.keep')}
        icon={<IconBookmarkPlus size={16} />}
        aria-haspopup="dialog"
        onClick={() => onKeep(text)}
      />
    )
  );
}
