import { authApi, type Me } from '@knowhow/shared/access/auth';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import cards from '../../ui/layout/item-cards.module.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { maxQueryLength } from '@knowhow/shared/list';
import { type LibrarySkill, libraryApi, libraryOrders } from '@knowhow/shared/skills/library';
import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { pages, query as queryOf } from '../../api/query.ts';
import { Bolt } from '../../ui/bolt.tsx';
import { DeprecatedBadge } from '../../ui/deprecated-badge.tsx';
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './library-page.module.css';
import { RequestableSkills } from './requestable-skills.tsx';
import { SkillUse } from './skill-use.tsx';

const pageSize = 48;

const orderTexts = {
  popular: 'library.orders.popular',
  newest: 'library.orders.newest',
  name: 'library.orders.name',
} as const;

/** Every skill that the user may use. The URL keeps the search, the category and the order. */
export function LibraryPage() {
  const { t } = useTranslation();
  const { filter, change, clear, isFiltered } = useFilter();
  const { query, category, order } = filter;
  const list = useInfiniteQuery({
    ...pages(libraryApi.list, {
      query: {
        limit: pageSize,
        order,
        ...(query === '' ? {} : { query }),
        ...(category === '' ? {} : { category }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const first = list.data?.pages[0];
  const skills = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isNothing = first !== undefined && skills.length === 0 && isFiltered;
  useFocusAfter(isNothing);
  // Without analytics, the skills are in the order of their names.
  const isCounted = skills.length === 0 || skills.some(({ uses }) => uses !== undefined);
  return (
    <PageFrame
      title={t('library.title')}
      description={t('library.about')}
      actions={<MySkillsLink />}
    >
      <Filters
        filter={filter}
        change={change}
        categories={first?.categories ?? []}
        isCounted={isCounted}
      />
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={240} />
        </div>
      )}
      {first && skills.length === 0 && (isFiltered || !list.isPlaceholderData) && (
        <EmptyState
          title={t(isFiltered ? 'library.nothing' : 'library.empty')}
          text={t(isFiltered ? 'library.nothingText' : 'library.emptyText')}
        >
          {isFiltered && (
            <Button variant="default" onClick={clear}>
              {t('library.showAll')}
            </Button>
          )}
        </EmptyState>
      )}
      {first && skills.length > 0 && (
        <>
          <p className={classes.count} role="status">
            {t('library.count', { count: first.total })}
          </p>
          <ul className={classes.cards} aria-label={t('library.title')}>
            {skills.map((skill) => (
              <SkillCard key={skill.name} skill={skill} />
            ))}
          </ul>
        </>
      )}
      <MoreButton list={list} />
      {list.data && category === '' && <RequestableSkills query={query} />}
    </PageFrame>
  );
}

/** For users who may have skills of their own. */
function MySkillsLink() {
  const { t } = useTranslation();
  const me = useQueryClient().getQueryData<Me>(queryOf(authApi.me, {}).queryKey);
  return (
    me?.mayWriteSkills && (
      <Button component={Link} to="/my/skills" variant="default">
        {t('mySkills.title')}
      </Button>
    )
  );
}

interface FiltersProps extends Pick<ReturnType<typeof useFilter>, 'filter' | 'change'> {
  categories: { name: string; skills: number }[];
  /** Whether the uses of skills are known. */
  isCounted: boolean;
}

function Filters({ filter, change, categories, isCounted }: FiltersProps) {
  const { t } = useTranslation();
  const { query, category, order } = filter;
  const items = categories.map(({ name, skills }) => ({ id: name, name: `${name} (${skills})` }));
  return (
    <div className={classes.filters}>
      <SearchField
        label={t('library.search')}
        value={query}
        onChange={(text) => change({ query: text })}
      />
      {(items.length > 0 || category !== '') && (
        <IdSelect
          label={t('library.category')}
          all={t('library.allCategories')}
          items={items}
          value={category}
          onChange={(id) => change({ category: id })}
        />
      )}
      {query === '' && (
        <SegmentedControl
          aria-label={t('library.order')}
          value={isCounted || order !== 'popular' ? order : 'name'}
          onChange={(value) => change({ order: value })}
          data={libraryOrders
            .filter((value) => isCounted || value !== 'popular')
            .map((value) => ({ value, label: t(orderTexts[value]) }))}
        />
      )}
    </div>
  );
}

function SkillCard({ skill }: { skill: LibrarySkill }) {
  const { t } = useTranslation();
  const { name, category, deprecated } = skill;
  const localize = useLocalizeSkill();
  const { title, description } = localize(skill);
  const successor = deprecated?.successor;
  return (
    <li className={`${cards.card} ${cards.linked}`}>
      <h2 className={cards.name}>
        <Bolt />
        <Link to={`/skills/${encodeURIComponent(name)}`}>{title}</Link>
      </h2>
      <p className={cards.description}>{description}</p>
      <p className={cards.facts}>
        {skill.isPersonal && (
          <span className={classes.category}>
            {skill.sharedBy === undefined
              ? t('ownSkill.yours')
              : t('mySkills.share.from', { name: skill.sharedBy })}
          </span>
        )}
        {deprecated && (
          <DeprecatedBadge
            successor={successor && localize({ ...successor, description: '' }).title}
          />
        )}
        {category && <span className={classes.category}>{category}</span>}
        <SkillUse skill={skill} />
      </p>
    </li>
  );
}

/** The filter in the URL; changes replace the history entry. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const order = libraryOrders.find((each) => each === params.get('order')) ?? 'popular';
  const filter = {
    query: (params.get('query') ?? '').slice(0, maxQueryLength),
    category: (params.get('category') ?? '').slice(0, maxQueryLength),
    order,
  };
  const change = (changed: Partial<Record<keyof typeof filter, string>>) => {
    const next = Object.entries({ ...filter, ...changed });
    const written = next.filter(
      ([key, value]) => value !== '' && `${key}=${value}` !== 'order=popular',
    );
    setParams(Object.fromEntries(written), { replace: true });
  };
  return {
    filter,
    change,
    clear: () => change({ query: '', category: '' }),
    isFiltered: filter.query !== '' || filter.category !== '',
  };
}
