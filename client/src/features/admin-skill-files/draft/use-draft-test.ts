import { draftTestsApi, type TestedResult } from '@knowhow/shared/skills/draft-tests';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { endpointQueryFilter } from '../../../api/query.ts';
import type { Input } from '../../../api/request.ts';
import { stream } from '../../../api/stream.ts';

/** A test in progress. */
interface RunningTest {
  models: readonly string[];
  /** Requests that were answered, and all of them. */
  done: number;
  total: number;
  results: readonly TestedResult[];
}

/** The server stores the partial result a moment after the request was aborted. */
const settleMs = 1500;

/** Tests the draft of a skill until the component is closed. The result is then in the plan. */
export function useDraftTest(skill: string) {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState<RunningTest>();
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function begin(body: Input<typeof draftTestsApi.run>['body']) {
    const own = new AbortController();
    abort.current = own;
    setError(undefined);
    setCurrent({ models: body.models, done: 0, total: 0, results: [] });
    try {
      const input = { params: { skill }, body };
      for await (const { event } of stream(draftTestsApi.run, input, { signal: own.signal })) {
        if (event.type === 'error') {
          setError(event);
        } else if (event.type !== 'end') {
          setCurrent((known) => known && apply(known, event));
        }
      }
    } catch (failure) {
      if (!own.signal.aborted) {
        setError(failure);
      }
    } finally {
      const refresh = async () => {
        await queryClient.invalidateQueries(endpointQueryFilter(draftTestsApi.plan));
        // The checks of the draft depend on its tests.
        await queryClient.invalidateQueries(endpointQueryFilter(skillDraftsApi.get));
      };
      await refresh();
      setCurrent(undefined);
      if (own.signal.aborted) {
        setTimeout(() => void refresh(), settleMs);
      }
    }
  }

  return { current, error, begin, stop: () => abort.current?.abort() };
}

function apply(
  known: RunningTest,
  event:
    | { type: 'start'; total: number; known: readonly TestedResult[] }
    | { type: 'result'; result: TestedResult },
): RunningTest {
  return event.type === 'start'
    ? { ...known, total: event.total, results: event.known }
    : { ...known, done: known.done + 1, results: [...known.results, event.result] };
}
