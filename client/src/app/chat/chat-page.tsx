import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { Problem } from '@knowhow/shared/problem';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Welcome } from '../../features/composer/welcome.tsx';
import { useConversation } from '../../features/turn/use-conversation.ts';
import { focusField } from '../../ui/focus/focus-field.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { preloadMarkdown } from '../../ui/markdown/lazy-markdown.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useChat } from '../answering/use-chat.ts';
import { useChoices } from '../answering/use-choices.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { ChatDock } from './chat-dock.tsx';
import classes from './chat-page.module.css';
import { ConversationThread } from './conversation-thread.tsx';
import { TopBar } from './top-bar.tsx';

const noSkills: never[] = [];

interface ChatPageProps {
  conversationId: string;
  /** Whether this is a new conversation that the server does not know yet. */
  isFresh: boolean;
  wantedAppId: string | undefined;
  /** Replaces the top bar, and the page for a missing conversation. */
  inFrame?: { bar: ReactNode; missing: ReactNode };
}

export function ChatPage({ conversationId, isFresh, wantedAppId, inFrame }: ChatPageProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const [traced, setTraced] = useState<string>();
  const { data: conversation, error, refetch } = useConversation(conversationId, isFresh);
  const choices = useChoices({ isFresh, wantedAppId, conversation, hasSecond: !inFrame });
  const chat = useChat({ conversationId, isFresh, conversation, choices });
  const focusComposer = () => focusField(field.current);
  const activeSkills = conversation?.activeSkills ?? noSkills;
  const title = conversation?.title ?? t('action.newConversation');
  const failure = conversation ? undefined : error;
  const isFleeting = isTemporary(conversationId);
  const isUnknownApp = wantedAppId !== undefined && choices.apps.length > 0 && !choices.app;

  useDocumentTitle(`${title} · Knowhow`);
  usePreloadedMarkdown(chat.draft.text !== '');

  // Includes conversations deleted in another tab: a message sent there would start a new one. A temporary
  // conversation exists only on screen.
  if (isUnknownApp || (isMissing(error) && !(conversation && isFleeting))) {
    return inFrame ? inFrame.missing : <NotFoundPage />;
  }
  return (
    <>
      {inFrame ? inFrame.bar : <TopBar {...{ title, choices, conversationId, isFresh }} />}
      {failure ? (
        <div className={classes.failure}>
          <ErrorNote error={failure} onRetry={() => refetch()} />
        </div>
      ) : (
        <ConversationThread
          conversationId={conversationId}
          isFresh={isFresh}
          isFramed={inFrame !== undefined}
          leftOut={conversation?.leftOut}
          activeSkills={activeSkills}
          busy={chat.busy}
          editing={chat.editing}
          modelName={choices.modelName}
          models={choices.models}
          second={conversation?.comparison}
          empty={
            <Welcome
              app={choices.app}
              isPending={choices.isPending}
              onStarter={(text) => {
                chat.suggest(text);
                field.current?.focus();
              }}
            />
          }
          onEdit={chat.edit}
          onCancelEdit={chat.cancelEdit}
          onResend={andThen(chat.resend, focusComposer)}
          onRetry={andThen(chat.retry, focusComposer)}
          onGoOn={andThen(chat.goOn, focusComposer)}
          focusComposer={focusComposer}
          onEndSkill={chat.endSkill}
          hasTraces={choices.app?.showTrace === true && !isFleeting}
          onTrace={setTraced}
        />
      )}
      <ChatDock
        field={field}
        chat={chat}
        choices={choices}
        isFresh={isFresh}
        isKnown={isFresh || conversation !== undefined}
        activeSkills={activeSkills}
        skillsOff={conversation?.skillsOff ?? []}
      />
      <TraceDialog
        messageId={traced}
        modelName={choices.modelName}
        onClose={() => setTraced(undefined)}
      />
    </>
  );
}

/** Loads the parts that show an answer while its question is written. */
function usePreloadedMarkdown(isWriting: boolean): void {
  useEffect(() => {
    if (isWriting) {
      void preloadMarkdown();
    }
  }, [isWriting]);
}

/** The button of such an action disappears while the answer is written. */
function andThen<Parameters extends unknown[]>(
  act: (...parameters: Parameters) => unknown,
  next: () => void,
) {
  return (...parameters: Parameters) => {
    void act(...parameters);
    next();
  };
}

/** Missing, another user's, or an invalid ID: all the same to the reader. */
function isMissing(error: unknown): boolean {
  return error instanceof Problem && (error.status === 404 || error.status === 400);
}

const TracePanel = lazyPart(
  async () => (await import('../../features/trace/trace-panel.tsx')).TracePanel,
  LostDialog,
);

interface TraceDialogProps {
  /** The answer to inspect; undefined while closed. */
  messageId: string | undefined;
  modelName: (id: string) => string;
  onClose: () => void;
}

/** Shows the trace of an answer, loaded on demand. */
function TraceDialog({ messageId, ...rest }: TraceDialogProps) {
  useFocusBack(messageId !== undefined);
  return (
    <Suspense>{messageId !== undefined && <TracePanel messageId={messageId} {...rest} />}</Suspense>
  );
}
