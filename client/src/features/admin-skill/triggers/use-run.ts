import {
  type TriggerPrompt,
  type TriggerResult,
  triggerTestsApi,
} from '@knowhow/shared/skills/trigger-tests';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { endpointQueryFilter } from '../../../api/query.ts';
import type { Input } from '../../../api/request.ts';
import { stream } from '../../../api/stream.ts';

type RunBody = Input<typeof triggerTestsApi.run>['body'];

/** A run in progress. */
export interface RunningTests {
  prompts: readonly TriggerPrompt[];
  models: readonly string[];
  total: number;
  results: readonly TriggerResult[];
}

export interface Run {
  current: RunningTests | undefined;
  /** Why the last one failed. */
  error: unknown;
  begin(body: RunBody): Promise<void>;
  stop(): void;
}

const settleMs = 1500;

/** Runs the tests of a skill while the page is open. Results are then in the list of runs. */
export function useRun(name: string): Run {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState<RunningTests>();
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function begin(body: RunBody) {
    const own = new AbortController();
    abort.current = own;
    const { prompts, models } = body;
    const running = { prompts, models, total: prompts.length * models.length };
    const results: TriggerResult[] = [];
    setError(undefined);
    setCurrent({ ...running, results });
    try {
      const events = stream(
        triggerTestsApi.run,
        { params: { name }, body },
        { signal: own.signal },
      );
      for await (const { event } of events) {
        if (event.type === 'result') {
          results.push(event.result);
          setCurrent({ ...running, results: [...results] });
        } else if (event.type === 'error') {
          setError(event);
        }
      }
    } catch (failure) {
      if (!own.signal.aborted) {
        setError(failure);
      }
    } finally {
      const refresh = () =>
        queryClient.invalidateQueries(endpointQueryFilter(triggerTestsApi.runs));
      await refresh();
      setCurrent(undefined);
      if (own.signal.aborted) {
        // The server notices the aborted request and stores the partial result a moment later.
        setTimeout(() => void refresh(), settleMs);
      }
    }
  }

  return { current, error, begin, stop: () => abort.current?.abort() };
}
