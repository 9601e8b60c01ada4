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
  getStates: (item: Item) => readonly State[];
  /** The texts that a search reads. */
  getText: (item: Item) => string;
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

const noFilter = { text: '', state: '' } as const;
/** From this number of items on, there is a filter. */
const minFiltered = 6;
/** Items rendered at once: each has files, findings and changes. */
const perPage = 50;

/** Groups, filters and pages the items of a review. */
export function useReview<Item, State extends string>(
  items: readonly Item[],
  options: ReviewOptions<Item, State>,
): Review<Item, State> {
  const [filter, setFilter] = useState<ReviewFilter<State>>(noFilter);
  const [pages, setPages] = useState(1);
  const isLong = items.length >= minFiltered;
  // A filter outlives the items that were taken, but not its controls.
  const active: ReviewFilter<State> = isLong ? filter : noFilter;
  const shown = useMemo(() => filterItems(items, options, active), [items, options, active]);
  const counts = useMemo(() => countStates(items, options), [items, options]);
  const maxRendered = pages * perPage;
  return {
    isLong,
    total: items.length,
    filter,
    setFilter: (next) => {
      setFilter(next);
      setPages(1);
    },
    counts: counts.filter(({ id, count }) => count > 0 || id === filter.state),
    shown,
    rendered: shown.slice(0, maxRendered),
    more: {
      hasNextPage: shown.length > maxRendered,
      isFetchingNextPage: false,
      fetchNextPage: () => setPages(pages + 1),
    },
  };
}

function filterItems<Item, State extends string>(
  items: readonly Item[],
  { getStates, getText }: ReviewOptions<Item, State>,
  { text, state }: ReviewFilter<State>,
): readonly Item[] {
  const part = text.toLowerCase();
  return items.filter(
    (item) =>
      (state === '' || getStates(item).includes(state)) &&
      (part === '' || getText(item).toLowerCase().includes(part)),
  );
}

function countStates<Item, State extends string>(
  items: readonly Item[],
  { states, getStates }: ReviewOptions<Item, State>,
) {
  const counts = new Map<State, number>(states.map((id) => [id, 0]));
  for (const id of items.flatMap(getStates)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].map(([id, count]) => ({ id, count }));
}
