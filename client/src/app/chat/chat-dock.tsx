import { type Activation, maxSkillsPicked } from '@knowhow/shared/chat/chat';
import { type RefObject, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ActiveSkills } from '../../features/composer/active-skills.tsx';
import { Composer } from '../../features/composer/composer.tsx';
import { useModelLimit } from '../../features/pickers/use-model-limit.ts';
import { focusField } from '../../ui/focus/focus-field.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import type { useChat } from '../answering/use-chat.ts';
import type { Choices } from '../answering/use-choices.ts';
import { isTyping } from '../frame/use-shortcuts.ts';
import classes from './chat-page.module.css';

/** Without it, files are attached by the button and by pasting only. */
const DropZone = lazyPart(
  async () => (await import('../../features/composer/attachments/drop-zone.tsx')).DropZone,
  () => null,
);

const WaitingMessage = lazyPart(
  async () => (await import('../../features/composer/queued-message.tsx')).QueuedMessage,
);

interface ChatDockProps {
  field: RefObject<HTMLTextAreaElement | null>;
  chat: ReturnType<typeof useChat>;
  choices: Choices;
  isFresh: boolean;
  /** Whether the conversation's app is known yet. */
  isKnown: boolean;
  /** Active skills, oldest first. */
  activeSkills: Activation[];
  /** Names of the skills that are switched off in the conversation. */
  skillsOff: readonly string[];
}

/** The composer with its notes. */
export function ChatDock(props: ChatDockProps) {
  const { field, chat, choices, isFresh, isKnown, activeSkills, skillsOff } = props;
  const { t } = useTranslation();
  const { app, model, isPending, error } = choices;
  const limit = useModelLimit(app)(model);
  const off = chat.draft.skillsOff ?? skillsOff;
  const inUse = activeSkills.filter(({ name }) => !off.includes(name));
  const isLoaded = isKnown && !isPending && !error;
  useComposerFocus(field, isFresh);

  return (
    <div className={classes.dock}>
      {chat.failure !== undefined && <ErrorNote error={chat.failure} />}
      {error && <ErrorNote error={error} onRetry={choices.retry} />}
      {isLoaded && !(app && model) ? (
        <p className={classes.blocked}>{app ? t('chat.noModel') : t('chat.noApp')}</p>
      ) : (
        <>
          <Suspense>
            <DropZone onDrop={chat.attachments.attach} />
          </Suspense>
          <ShownSkills field={field} chat={chat} activeSkills={inUse} />
          <ShownWaiting field={field} chat={chat} />
          <Composer
            appId={app?.id ?? ''}
            hasResources={app?.offersResources}
            field={field}
            draft={chat.draft}
            skillsOff={skillsOff}
            inUse={inUse.map(({ name }) => name)}
            onDraft={chat.change}
            attachments={chat.attachments}
            blind={model?.supportsVision === false ? choices.modelName(model.id) : undefined}
            busy={chat.busy}
            stopping={chat.stopping}
            onSend={chat.send}
            onStop={chat.stop}
          />
          <p className={classes.hints}>
            <span>{t('composer.hint')}</span>
            {limit && <span>{limit}</span>}
          </p>
        </>
      )}
    </div>
  );
}

/** The active skills; a skill that is also chosen for the next message is shown only there. */
function ShownSkills({
  field,
  chat,
  activeSkills,
}: Pick<ChatDockProps, 'field' | 'chat' | 'activeSkills'>) {
  const { draft, change, endSkill } = chat;
  const renew = (name: string) => {
    change({ ...draft, skills: [...draft.skills, name] });
    field.current?.focus();
  };
  return (
    <ActiveSkills
      skills={activeSkills.filter(({ name }) => !draft.skills.includes(name))}
      onEnd={(name) => {
        endSkill(name);
        focusField(field.current);
      }}
      onRenew={draft.skills.length < maxSkillsPicked ? renew : undefined}
    />
  );
}

/** The message that is queued until the answer is complete. */
function ShownWaiting({ field, chat }: Pick<ChatDockProps, 'field' | 'chat'>) {
  const { message, take, send } = chat.waiting;
  const leave = (act: () => void) => () => {
    act();
    focusField(field.current);
  };
  return (
    message && (
      <Suspense>
        <WaitingMessage
          message={message}
          busy={chat.busy}
          onEdit={leave(chat.editWaiting)}
          onRemove={leave(take)}
          onSend={leave(send)}
        />
      </Suspense>
    )
  );
}

/** Focuses the composer in a new conversation, and whenever `/` is pressed. */
function useComposerFocus(field: RefObject<HTMLTextAreaElement | null>, isFresh: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival
  useEffect(() => {
    if (isFresh) {
      focusField(field.current);
    }
  }, []);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isFree = !isTyping(event) && !document.querySelector('[role="dialog"], [role="menu"]');
      if (event.key === '/' && isFree && !event.ctrlKey && !event.metaKey) {
        field.current?.focus();
      }
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [field]);
}
