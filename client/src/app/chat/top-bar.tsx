import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { IconLayoutSidebar, IconPencilPlus } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useOutletContext } from 'react-router';
import { AppPicker } from '../../features/pickers/app-picker.tsx';
import { ModelPicker } from '../../features/pickers/model-picker.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import type { Choices } from '../answering/use-choices.ts';
import type { ShellOutlet } from '../frame/shell-outlet.ts';
import { temporarySearch } from './temporary-search.ts';
import classes from './top-bar.module.css';

const AppAnswers = lazyPart(
  async () => (await import('../../features/app-answers/app-answers.tsx')).AppAnswers,
  () => null,
);

/** Without it, a single model answers. */
const SecondModel = lazyPart(
  async () => (await import('../answering/second-model.tsx')).ComparisonModelMenu,
  () => null,
);

/** Without it, a temporary chat is started by its command or URL. */
const TemporarySwitch = lazyPart(
  async () => (await import('./temporary-switch.tsx')).TemporarySwitch,
  () => null,
);

const TemporaryNote = lazyPart(async () => (await import('./temporary-note.tsx')).TemporaryNote);

interface TopBarProps {
  /** The page's heading for screen readers. */
  title: string;
  choices: Choices;
  conversationId: string;
  /** Whether the conversation is still empty. */
  isFresh: boolean;
}

/** The bar above a conversation: app, model, and whether it is temporary. */
export function TopBar({ title, choices, conversationId, isFresh }: TopBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hasSidebar, openSidebar } = useOutletContext<ShellOutlet>();
  const isOn = isTemporary(conversationId);
  const kind = isOn ? temporarySearch : '';
  const { apps, app, models, model, chooseModel } = choices;
  return (
    <>
      <div className={classes.bar}>
        <h1 className={classes.title}>{title}</h1>
        {!hasSidebar && (
          <IconButton
            label={t('shell.openSidebar')}
            icon={<IconLayoutSidebar size={18} />}
            onClick={openSidebar}
          />
        )}
        {app && (
          <>
            <AppPicker
              apps={apps}
              chosen={app.id}
              onChoose={(appId) => navigate(`/apps/${appId}${kind}`)}
            />
            <ModelPicker app={app} models={models} chosen={model?.id} onChoose={chooseModel} />
            {models.length > 1 && (
              <Suspense>
                <SecondModel choices={choices} />
              </Suspense>
            )}
            {app.asksUsers && (
              <Suspense>
                <AppAnswers key={app.id} app={app} />
              </Suspense>
            )}
          </>
        )}
        <span className={classes.gap} />
        {isFresh && (
          <Suspense>
            <TemporarySwitch isOn={isOn} />
          </Suspense>
        )}
        {!hasSidebar && (
          <IconButton
            label={t('action.newConversation')}
            icon={<IconPencilPlus size={18} />}
            onClick={() => navigate('/')}
          />
        )}
      </div>
      {isOn && (
        <Suspense>
          <TemporaryNote conversationId={conversationId} isBegun={!isFresh} />
        </Suspense>
      )}
    </>
  );
}
