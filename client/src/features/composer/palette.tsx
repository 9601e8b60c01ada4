import { Kbd, Skeleton } from '@mantine/core';
import { IconMessage2 } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import classes from './palette.module.css';
import type { PaletteMatch } from './search-palette.ts';
import { optionId, type Palette as PaletteState } from './use-palette.ts';

/** Prompts and skills to choose from, above the composer. The focus stays in the composer. */
export function Palette({ palette }: { palette: PaletteState }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click must not take the focus away
    <div className={classes.palette} data-palette onMouseDown={(event) => event.preventDefault()}>
      <PaletteContent palette={palette} />
      <p className={classes.keys} aria-hidden>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t('palette.keyMove')}
        </span>
        <span>
          <Kbd size="xs">↵</Kbd> {t('palette.keyChoose')}
        </span>
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

function PaletteList({ palette }: { palette: PaletteState }) {
  const { t } = useTranslation();
  const { matches, listId, active } = palette;
  const list = useRef<HTMLDivElement>(null);
  const first = matches[0]?.entry.kind;
  const second = matches.findIndex(({ entry }) => entry.kind !== first);
  const split = second === -1 ? matches.length : second;
  const sections = [
    { start: 0, items: matches.slice(0, split) },
    { start: split, items: matches.slice(split) },
  ].filter(({ items }) => items.length > 0);

  useEffect(() => {
    const option = list.current?.querySelector(`#${CSS.escape(optionId(listId, active))}`);
    option?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  return (
    <div
      ref={list}
      id={listId}
      role="listbox"
      aria-label={t('palette.label')}
      className={classes.list}
    >
      {sections.map(({ start, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: options are grouped by role, not by fieldset
        <div key={start} role="group" aria-labelledby={`${listId}-section-${start}`}>
          <div id={`${listId}-section-${start}`} role="presentation" className={classes.section}>
            {items[0]?.entry.kind === 'skill' ? t('palette.skills') : t('palette.prompts')}
          </div>
          {items.map((match, offset) => (
            <PaletteOption
              key={match.entry.key}
              match={match}
              palette={palette}
              index={start + offset}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface PaletteOptionProps {
  match: PaletteMatch;
  palette: PaletteState;
  index: number;
}

function PaletteOption({ match, palette, index }: PaletteOptionProps) {
  const { entry, titleRanges, descriptionRanges } = match;
  const { listId, active, setActive, choose } = palette;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the composer's, which has the focus
    <div
      id={optionId(listId, index)}
      role="option"
      tabIndex={-1}
      aria-selected={index === active}
      className={classes.option}
      data-kind={entry.kind}
      onMouseMove={() => setActive(index)}
      onClick={() => choose(index)}
    >
      <span className={classes.sign}>
        {entry.kind === 'skill' ? <Bolt size={16} /> : <IconMessage2 size={16} aria-hidden />}
      </span>
      <span className={classes.title}>
        <span>
          <MarkedText text={entry.title} ranges={titleRanges} />
        </span>
        {entry.hint && <span className={classes.hint}>{entry.hint}</span>}
      </span>
      <span className={classes.description}>
        <MarkedText text={entry.description} ranges={descriptionRanges} />
      </span>
    </div>
  );
}
