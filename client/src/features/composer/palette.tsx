import { Kbd, Skeleton } from '@mantine/core';
import { IconMessage2, IconStar, IconStarFilled } from '@tabler/icons-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { MarkedText } from '../../ui/text/marked-text.tsx';
import type { PaletteSection } from './arrange-palette.ts';
import classes from './palette.module.css';
import type { PaletteMatch } from './search-palette.ts';
import { optionId, type Palette as PaletteState } from './use-palette.ts';

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

/** The rows of the palette under their headings; long lists are virtualised. */
function PaletteList({ palette }: { palette: PaletteState }) {
  const { t } = useTranslation();
  const { sections, listId, active, more } = palette;
  const list = useRef<HTMLDivElement>(null);
  const { shown, onScroll } = useWindow(list, sections, active);
  return (
    <div
      ref={list}
      id={listId}
      role="listbox"
      aria-label={t('palette.label')}
      className={classes.list}
      onScroll={onScroll}
    >
      {shown.map((section) => (
        <Section key={`${section.kind}-${section.name}`} section={section} palette={palette} />
      ))}
      {more > 0 && (
        <p role="presentation" className={classes.more}>
          {t('palette.more', { count: more })}
        </p>
      )}
    </div>
  );
}

function Section({ section, palette }: { section: ShownSection; palette: PaletteState }) {
  const { t } = useTranslation();
  const { kind, name, total, start, height, rows } = section;
  const headingId = `${palette.listId}-section-${start}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: options are grouped by role, not by fieldset
    <div role="group" aria-labelledby={headingId} className={classes.group} style={{ height }}>
      <div
        id={headingId}
        role="presentation"
        className={classes.section}
        style={{ height: headingHeight }}
      >
        {kind === 'category' ? name : t(headings[kind])}{' '}
        <span className={classes.total}>{t('palette.total', { count: total })}</span>
      </div>
      {rows.map(({ match, index, top }) => (
        <Option
          // Keyed by position, not content: each keystroke changes the content, and the elements are reused.
          key={index}
          match={match}
          palette={palette}
          index={index}
          top={top}
          hasCategory={kind !== 'category'}
        />
      ))}
    </div>
  );
}

const headings = {
  favourites: 'palette.favourites',
  recent: 'palette.recent',
  skills: 'palette.skills',
  otherSkills: 'palette.otherSkills',
  ownPrompts: 'account.ownPrompts',
  prompts: 'palette.prompts',
} as const;

interface OptionProps {
  match: PaletteMatch;
  palette: PaletteState;
  index: number;
  /** Pixels below the start of its section. */
  top: number;
  hasCategory: boolean;
}

function Option({ match, palette, index, top, hasCategory }: OptionProps) {
  const { entry, titleRanges, descriptionRanges } = match;
  const { listId, active, matches, setActive, choose } = palette;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the composer's, which has the focus
    <div
      id={optionId(listId, index)}
      role="option"
      tabIndex={-1}
      aria-selected={index === active}
      aria-setsize={matches.length}
      aria-posinset={index + 1}
      className={classes.option}
      style={{ top }}
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
        {hasCategory && entry.category && (
          <span className={classes.category}>{entry.category}</span>
        )}
      </span>
      <span className={classes.description}>
        <MarkedText text={entry.description} ranges={descriptionRanges} />
      </span>
      {palette.canKeep && <Star match={match} palette={palette} />}
    </div>
  );
}

/** Mouse only; the keyboard uses Alt Enter, because an option may not contain buttons. */
function Star({ match, palette }: { match: PaletteMatch; palette: PaletteState }) {
  const { t } = useTranslation();
  const isFavourite = palette.isFavourite(match);
  const name = match.entry.title;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span
      className={classes.star}
      data-favourite={isFavourite || undefined}
      title={t(isFavourite ? 'favourite.remove' : 'favourite.add', { name })}
      onClick={(event) => {
        event.stopPropagation();
        palette.toggleFavourite(match);
      }}
    >
      {isFavourite ? (
        <IconStarFilled size={16} role="img" aria-label={t('favourite.is')} />
      ) : (
        <IconStar size={16} aria-hidden />
      )}
    </span>
  );
}

/** In pixels, as in the style sheet. */
const rowHeight = 52;
const headingHeight = 30;
const padding = 4;

/** Maximum number of visible rows, and overscan in each direction. */
const inView = 9;
const beyond = 6;

/** The rendered window of a long list, and its offset. */
interface ShownSection extends Omit<PaletteSection, 'matches'> {
  /** Index of its first row. */
  start: number;
  height: number;
  rows: { match: PaletteSection['matches'][number]; index: number; top: number }[];
}

/**
 * Virtualises a list: renders the rows in view and the active one, which it scrolls to. All rows have the same
 * height.
 */
function useWindow(
  list: RefObject<HTMLDivElement | null>,
  sections: readonly PaletteSection[],
  active: number,
) {
  const [scrolled, setScrolled] = useState(0);
  const top = getOffset(sections, active);

  useLayoutEffect(() => {
    const element = list.current;
    if (element) {
      const highest = active === 0 ? 0 : top - headingHeight;
      const lowest = top + rowHeight + padding - element.clientHeight;
      element.scrollTop = Math.min(Math.max(element.scrollTop, lowest), highest);
      setScrolled(element.scrollTop);
    }
  }, [list, active, top]);

  const from = scrolled - beyond * rowHeight;
  const to = scrolled + (inView + beyond) * rowHeight;
  let offset = padding;
  let start = 0;
  const shown = sections.map(({ matches, ...section }): ShownSection => {
    const first = start;
    const rowsTop = offset + headingHeight;
    const height = headingHeight + matches.length * rowHeight;
    const rows = matches
      .map((match, at) => ({ match, index: first + at, top: headingHeight + at * rowHeight }))
      .filter(({ index }, at) => {
        const rowTop = rowsTop + at * rowHeight;
        return index === active || (rowTop + rowHeight > from && rowTop < to);
      });
    start += matches.length;
    offset += height;
    return { ...section, start: first, height, rows };
  });
  return { shown, onScroll: () => setScrolled(list.current?.scrollTop ?? 0) };
}

/** Offset of a row. */
function getOffset(sections: readonly PaletteSection[], index: number): number {
  let start = 0;
  let top = padding;
  for (const { matches } of sections) {
    top += headingHeight;
    if (index < start + matches.length) {
      return top + (index - start) * rowHeight;
    }
    start += matches.length;
    top += matches.length * rowHeight;
  }
  return top;
}
