import { Kbd, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import type { Palette as PaletteState } from './use-palette.ts';

/** Prompts and skills to choose from, above the composer, which keeps the focus. */
export function Palette({ palette }: { palette: PaletteState }) {
  const { t } = useTranslation();
  const { matches, more, canKeep } = palette;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click must not take the focus away
    <div className={classes.palette} data-palette onMouseDown={(event) => event.preventDefault()}>
      <PaletteContent palette={palette} />
      <p className={classes.count} role="status">
        {matches.length > 0 && t('palette.count', { count: matches.length + more })}
      </p>
      <p className={classes.keys} aria-hidden>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t('palette.keyMove')}
        </span>
        <span>
          <Kbd size="xs">↵</Kbd> {t('palette.keyChoose')}
        </span>
        {canKeep && (
          <span>
            <Kbd size="xs">Alt</Kbd> <Kbd size="xs">↵</Kbd> {t('palette.keyFavourite')}
          </span>
        )}
        <span>
          <Kbd size="xs">Esc</Kbd> {t('palette.keyClose')}
        </span>
      </p>
    </div>
  );
}

function PaletteContent({ palette }: { palette: PaletteState }) {
  const { t } = useTranslation();
  const { matches, query } = palette;
  const failure = palette.error && (
    <div className={classes.message}>
      <ErrorNote error={palette.error} onRetry={palette.retry} />
    </div>
  );
  if (matches.length > 0 || failure) {
    return (
      <>
        {failure}
        {matches.length > 0 && <PaletteList palette={palette} />}
      </>
    );
  }
  if (palette.isWaiting) {
    return (
      <div className={classes.message} role="status" aria-label={t('state.loading')}>
        <Skeleton height={14} width="40%" />
        <Skeleton height={12} mt={8} width="80%" />
      </div>
    );
  }
  return (
    <p className={classes.message} role="status">
      {query === '' ? t('palette.empty') : t('palette.nothing', { query })}
    </p>
  );
}
