import '@mantine/core/styles/Switch.layer.css';
import { maxSkillsOff, maxSkillsPicked } from '@knowhow/shared/chat/chat';
import type { SkillSummary } from '@knowhow/shared/skills/skills';
import { Button, Skeleton, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconStar, IconStarFilled } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './skill-selector.module.css';
import { appSkillsQuery, matchingSkillsQuery } from './skills-of.ts';
import { useFavourites } from './user-entries.ts';

export interface SkillSelectorProps {
  appId: string;
  /** Names of the skills of the next message. */
  picked: readonly string[];
  /** Names of the skills that are switched off in this conversation. */
  off: readonly string[];
  /** Names of its active skills. */
  inUse: readonly string[];
  onPick: (skill: string) => void;
  onOff: (skills: string[]) => void;
}

interface SkillSelectorListProps extends SkillSelectorProps {
  onClose: () => void;
}

/** Shorter lists need no search. */
const searchedFrom = 8;

export function SkillSelectorList(props: SkillSelectorListProps) {
  const { appId, off, onOff } = props;
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const { skills, more, isSearchable, isPending, error, retry } = useOffered(appId, query.trim());
  const favourites = useFavourites(appId, true);

  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('skillSelector.title')}</h2>
        {off.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => onOff([])}>
            {t('skillSelector.allOn')}
          </Button>
        )}
      </div>
      {isSearchable && (
        <TextInput
          className={classes.search}
          size="sm"
          aria-label={t('skillSelector.search')}
          placeholder={t('skillSelector.search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {favourites.error && <ErrorNote error={favourites.error} />}
      {error ? (
        <ErrorNote error={error} onRetry={retry} />
      ) : (
        <ul className={classes.list} aria-busy={isPending}>
          {isPending && <Skeleton height={40} m={10} aria-label={t('state.loading')} />}
          {skills.map((skill) => (
            <SkillRow key={skill.name} skill={skill} favourites={favourites} {...props} />
          ))}
          {more > 0 && <li className={classes.more}>{t('skillSelector.more', { count: more })}</li>}
        </ul>
      )}
      {!isPending && !error && skills.length === 0 && (
        <p className={classes.empty} role="status">
          {query.trim() === ''
            ? t('skillSelector.empty')
            : t('skillSelector.nothing', { query: query.trim() })}
        </p>
      )}
    </>
  );
}

interface SkillRowProps extends SkillSelectorListProps {
  skill: SkillSummary;
  favourites: ReturnType<typeof useFavourites>;
}

function SkillRow(props: SkillRowProps) {
  const { skill, favourites, picked, off, inUse, onPick, onOff, onClose } = props;
  const { t } = useTranslation();
  const { name, userInvocable } = skill;
  const { title, description } = useLocalizeSkill()(skill);
  const isPicked = picked.includes(name);
  const isOff = off.includes(name) && !isPicked;
  return (
    <li className={classes.row} data-off={isOff || undefined}>
      <div className={classes.text}>
        <span className={classes.name}>
          {name}
          {inUse.includes(name) && <em className={classes.inUse}>{t('skillSelector.inUse')}</em>}
        </span>
        <span className={classes.description}>
          {title === name ? description : `${title}: ${description}`}
        </span>
      </div>
      {userInvocable && favourites.canKeep && <FavouriteButton name={name} {...favourites} />}
      {userInvocable && (
        <IconButton
          label={t('skillSelector.use', { name })}
          icon={<IconPlus size={17} />}
          disabled={isPicked || picked.length >= maxSkillsPicked}
          onClick={() => {
            onPick(name);
            onClose();
          }}
        />
      )}
      <Switch
        size="sm"
        aria-label={t('skillSelector.mayUse', { name })}
        checked={!isOff}
        disabled={isPicked || (!isOff && off.length >= maxSkillsOff)}
        onChange={() => onOff(isOff ? off.filter((each) => each !== name) : [...off, name])}
      />
    </li>
  );
}

/** Whether the palette lists the skill at the top. */
function FavouriteButton({ name, has, toggle }: { name: string } & SkillRowProps['favourites']) {
  const { t } = useTranslation();
  const isFavourite = has('skill', name);
  return (
    <IconButton
      className={isFavourite ? classes.favourite : ''}
      label={t('favourite.add', { name })}
      aria-pressed={isFavourite}
      icon={isFavourite ? <IconStarFilled size={17} /> : <IconStar size={17} />}
      onClick={() => toggle('skill', name)}
    />
  );
}

/** An app's skills; the server ranks search results. */
function useOffered(appId: string, query: string) {
  const all = useQuery(appSkillsQuery(appId));
  const isSearched = query !== '';
  const found = useQuery({
    ...matchingSkillsQuery(appId, query),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  const shown = isSearched ? found : all;
  return {
    skills: shown.data?.items ?? [],
    /** Number of skills that are not loaded. */
    more: shown.data ? shown.data.total - shown.data.items.length : 0,
    isSearchable: (all.data?.items.length ?? 0) >= searchedFrom,
    isPending: shown.isPending,
    error: shown.error,
    retry: () => shown.refetch(),
  };
}
