import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { authApi } from '@knowhow/shared/access/auth';
import { type Trace, tracesApi } from '@knowhow/shared/chat/traces';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { useListKeys } from '../../ui/focus/use-list-keys.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useOutcomeText } from './use-outcome-text.ts';
import classes from './why-skill.module.css';

/** Explains why a skill was, or was not, used for the answer. */
export function WhySkill({ trace }: { trace: Trace }) {
  const { t } = useTranslation();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [asked, setAsked] = useState<string>();
  const names = useSkillNames(trace, typed);
  const isShown = isOpen && names.length > 0;
  const ask = (name: string | undefined) => {
    if (name) {
      setTyped(name);
      setAsked(name);
      setIsOpen(false);
    }
  };
  const keys = useListKeys({
    subject: typed,
    count: isShown ? names.length : 0,
    onChoose: (index) => ask(names[index]),
  });

  return (
    <section className={classes.why} aria-label={t('trace.why.title')}>
      <h3 className={classes.title}>{t('trace.why.title')}</h3>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          ask(typed.trim());
        }}
      >
        <TextInput
          className={classes.field}
          classNames={{ input: classes.input ?? '' }}
          role="combobox"
          aria-label={t('trace.why.field')}
          placeholder={t('trace.why.field')}
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${listId}-${keys.active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          maxLength={300}
          value={typed}
          // Escape closes the list first: the panel's listener runs before the field's.
          data-mantine-stop-propagation={isShown}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setIsOpen(true);
          }}
          onBlur={() => setIsOpen(false)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && isShown) {
              setIsOpen(false);
            } else {
              keys.onKeyDown(event);
            }
          }}
        />
        <Button type="submit" variant="default" disabled={typed.trim() === ''}>
          {t('trace.why.ask')}
        </Button>
        {isShown && <Options id={listId} names={names} active={keys.active} onChoose={ask} />}
      </form>
      {asked !== undefined && <Why key={asked} messageId={trace.messageId} name={asked} />}
    </section>
  );
}

interface OptionsProps {
  id: string;
  names: string[];
  active: number;
  onChoose: (name: string) => void;
}

function Options({ id, names, active, onChoose }: OptionsProps) {
  const { t } = useTranslation();
  return (
    <div id={id} className={classes.options} role="listbox" aria-label={t('trace.why.options')}>
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={classes.option}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        >
          {name}
        </div>
      ))}
    </div>
  );
}

function Why({ messageId, name }: { messageId: string; name: string }) {
  const { t } = useTranslation();
  const textOf = useOutcomeText();
  const { data, error, refetch } = useQuery({
    ...query(tracesApi.skill, { params: { id: messageId, name } }),
    gcTime: 0,
  });
  if (error) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  if (!data) {
    return <Skeleton height={70} mt={10} aria-label={t('state.loading')} />;
  }
  const { title, reason, next } = textOf(name, data);
  const { rank, searches = [] } = data;
  return (
    <div className={classes.answer} role="status">
      <p className={classes.outcome}>{title}</p>
      {(reason || rank !== undefined) && (
        <p>
          {[reason, rank !== undefined && t('trace.why.rank', { rank })].filter(Boolean).join(' ')}
        </p>
      )}
      {searches.length > 0 && (
        <>
          <p>{t('trace.why.searched')}</p>
          <ul>
            {searches.map(({ query: words, found, rank: at }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a search is what is at its position
              <li key={index}>
                {at === undefined
                  ? t('trace.why.notFound', { query: words, count: found })
                  : t('trace.why.foundAt', { query: words, rank: at })}
              </li>
            ))}
          </ul>
        </>
      )}
      {next && (
        <p className={classes.next}>
          <b>{t('trace.why.next')}:</b> {next}
        </p>
      )}
    </div>
  );
}

const most = 8;

/** Skill names that match the input: from the trace, and for administrators from all skills. */
function useSkillNames(trace: Trace, typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const asked = wanted !== '';
  const { adminRights = [] } = useQuery(query(authApi.me, {})).data ?? {};
  const isAdmin = holdsRight(adminRights, ['skills']);
  const kept = { placeholderData: keepPreviousData };
  const all = useQuery({
    ...query(adminSkillsApi.list, { query: { query: wanted, limit: most } }),
    ...kept,
    enabled: asked && isAdmin,
  });
  const own = useQuery({
    ...query(skillsApi.list, { query: { query: wanted, app: trace.app, limit: most } }),
    ...kept,
    enabled: asked && !isAdmin,
  });
  const recorded = useMemo(() => collectNames(trace), [trace]);
  const listed = (isAdmin ? all.data?.items : own.data?.items) ?? [];
  if (!asked) {
    return [];
  }
  const found = [...recorded, ...listed.map(({ name }) => name)].filter((name) =>
    name.toLowerCase().includes(wanted),
  );
  const sorted = [...new Set(found)].sort(
    (one, other) =>
      Number(other.startsWith(wanted)) - Number(one.startsWith(wanted)) || (one < other ? -1 : 1),
  );
  return [
    ...sorted.filter((name) => name === wanted),
    ...sorted.filter((name) => name !== wanted),
  ].slice(0, most);
}

function collectNames({ rounds }: Trace): string[] {
  return rounds.flatMap(({ activeSkills, catalogue }) => [
    ...activeSkills,
    ...catalogue.offered,
    ...catalogue.named,
    ...catalogue.leftOut,
    ...catalogue.userOnly,
  ]);
}
