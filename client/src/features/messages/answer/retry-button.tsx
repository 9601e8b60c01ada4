import { IconChevronDown, IconRefresh } from '@tabler/icons-react';
import { Suspense, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { ThreadStateContext } from '../thread-state.ts';

const RetryMenu = lazyPart(async () => (await import('./retry-menu.tsx')).RetryMenu);

interface RetryButtonProps {
  /** The model that wrote the answer. */
  model: string;
  /** Whether only the menu of models is shown, because there is already a retry button. */
  isMenu: boolean;
  /** Whether another model can answer for comparison. */
  isLast: boolean;
  onRetry: (model?: string) => void;
}

/** Retries the answer, or opens a menu of models. A thread has thousands, so the menu is loaded on demand. */
export function RetryButton({ model, isMenu, isLast, onRetry }: RetryButtonProps) {
  const { t } = useTranslation();
  const { busy, models, onBeside } = useContext(ThreadStateContext);
  const [isWanted, setWanted] = useState(false);
  const others = models.filter(({ id }) => id !== model);
  if (busy) {
    return null;
  }
  return (
    <>
      {!isMenu && (
        <IconButton
          label={t('action.retry')}
          icon={<IconRefresh size={16} />}
          onClick={() => onRetry()}
        />
      )}
      {others.length > 0 && (
        <IconButton
          size={isMenu ? 32 : 20}
          label={t('again.with')}
          icon={isMenu ? <IconRefresh size={16} /> : <IconChevronDown size={14} />}
          aria-haspopup="menu"
          aria-expanded={isWanted}
          onClick={() => setWanted(true)}
        />
      )}
      {isWanted && (
        <Suspense>
          <RetryMenu
            models={others}
            onRetry={onRetry}
            onBeside={isLast ? onBeside : undefined}
            onClose={() => setWanted(false)}
          />
        </Suspense>
      )}
    </>
  );
}
