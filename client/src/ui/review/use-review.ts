import { useMemo, useState } from 'react';

/** Filter of a long review. */
export interface ReviewFilter<State extends string> {
  /** Part of a text. */
  text: string;
  /** '' for all. */
  state: State | '';
}

/** How the items of a review are grouped and found. Keep it constant: it is a dependency of memos. */
interface ReviewOptions<Item, State extends string> {
  /** All groups, in their order. */
  states: readonly State[];
  /** The groups of an item. */
  statesOf: (item: Item) => readonly State[];
  /** The texts that a search reads. */
  textOf: (item: Item) => string;
}

/** A review of many items: the filter, and what it shows. */
export interface Review<Item, State extends string> {
  /** Whether there are enough items for a filter. */
  isLong: boolean;
  total: number;
  filter: ReviewFilter<State>;
  setFilter: (filter: ReviewFilter<State>) => void;
  /** Numbers of items by group, without empty groups. */
  counts: readonly { id: State; count: number }[];
  /** All items that pass the filter. */
  shown: readonly Item[];
  /** Those of them that are rendered. */
  rendered: readonly Item[];
  /** For `MoreButton`. */
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => void };
}

/** From this number of items on, there is a filter. */
const many = 6;
/** Items rendered at once: each has files, findings and changes. */
const perPage = 50;

/** Groups, filters and pages the items of a review. */
export function useReview<Item, State extends string>(
  items: readonly Item[],
  options: ReviewOptions<Item, State>,
): Review<Item, State> {
  const [filter, setFilter] = useState<ReviewFilter<State>>({ text: '', state: '' });
  const [pages, setPages] = useState(1);
  const shown = useMemo(() => filterItems(items, options, filter), [items, options, filter]);
  const counts = useMemo(() => countStates(items, options), [items, options]);
  const most = pages * perPage;
  return {
    isLong: items.length >= many,
    total: items.length,
    filter,
    setFilter: (next) => {
      setFilter(next);
      setPages(1);
    },
    counts: counts.filter(({ id, count }) => count > 0 || id === filter.state),
    shown,
    rendered: shown.slice(0, most),
    more: {
      hasNextPage: shown.length > most,
      isFetchingNextPage: false,
      fetchNextPage: () => setPages(pages + 1),
    },
  };
}

function filterItems<Item, State extends string>(
  items: readonly Item[],
  { statesOf, textOf }: ReviewOptions<Item, State>,
  { text, state }: ReviewFilter<State>,
): readonly Item[] {
  const part = text.toLowerCase();
  return items.filter(
    (item) =>
      (state === '' || statesOf(item).includes(state)) &&
      (part === '' || textOf(item).toLowerCase().includes(part)),
  );
}

function countStates<Item, State extends string>(
  items: readonly Item[],
  { states, statesOf }: ReviewOptions<Item, State>,
) {
  const counts = new Map<State, number>(states.map((id) => [id, 0]));
  for (const id of items.flatMap(statesOf)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].map(([id, count]) => ({ id, count }));
}
