import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { IconGhost2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import { useUnsavedWarning } from '../../ui/use-unsaved-warning.tsx';
import classes from './temporary-note.module.css';

interface TemporaryNoteProps {
  conversationId: string;
  /** Whether there is content to lose. */
  isBegun: boolean;
}

/** Explains that a chat is temporary, asks before leaving it, and then deletes it. */
export function TemporaryNote({ conversationId, isBegun }: TemporaryNoteProps) {
  const { t } = useTranslation();
  useEnd(conversationId, isBegun);
  const { question } = useUnsavedWarning(isBegun, undefined, {
    title: t('temporary.leaveTitle'),
    text: t('temporary.leaveText'),
    leave: t('temporary.leave'),
  });
  return (
    <>
      <p className={classes.note} role="note">
        <IconGhost2 size={16} aria-hidden />
        <span>{t('temporary.note')}</span>
      </p>
      {question}
    </>
  );
}

/** Deletes the conversation when its page is left. If that fails, the server removes it later. */
function useEnd(id: string, isBegun: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isBegun) {
      return;
    }
    const end = () => {
      call(conversationsApi.remove, { params: { id } }, { keepalive: true }).catch(() => undefined);
    };
    window.addEventListener('pagehide', end);
    return () => {
      window.removeEventListener('pagehide', end);
      end();
      queryClient.removeQueries(conversationQuery(id));
    };
  }, [id, isBegun, queryClient]);
}
