import { IconMessage2, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { MarkedText } from '../../ui/text/marked-text.tsx';
import classes from './palette.module.css';
import type { PaletteMatch } from './search-palette.ts';
import { optionId, type Palette } from './use-palette.ts';
import { headingHeight, type ShownSection, useWindow } from './use-window.ts';

/** The rows of the palette under their headings; long lists are virtualised. */
export function PaletteList({ palette }: { palette: Palette }) {
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

function Section({ section, palette }: { section: ShownSection; palette: Palette }) {
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
  palette: Palette;
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
function Star({ match, palette }: { match: PaletteMatch; palette: Palette }) {
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
