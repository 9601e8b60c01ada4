import {
  type TriggerPrompt,
  type TriggerPrompts,
  triggerTestsApi,
} from '@knowhow/shared/skills/trigger-tests';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';

export interface PromptDraft extends TriggerPrompt {
  /** React key of this row, for the lifetime of the page. */
  id: number;
}

export interface PromptDrafts {
  rows: readonly PromptDraft[];
  /** The rows with a text. */
  prompts: readonly TriggerPrompt[];
  /** Prompts found in the author's other files, and not in the list. */
  missing: readonly TriggerPrompt[];
  /** Whether they differ from the folder. */
  isChanged: boolean;
  /** Whether the user has edited them. */
  isTouched: boolean;
  isSaving: boolean;
  /** Why they could not be saved. */
  error: Error | null;
  add(): void;
  take(prompts: readonly TriggerPrompt[]): void;
  change(id: number, change: Partial<TriggerPrompt>): void;
  remove(id: number): void;
  discard(): void;
  save(): void;
}

/** The draft prompts of a skill, prefilled with found ones if none are saved. */
export function usePromptDrafts(name: string, stored: TriggerPrompts | undefined): PromptDrafts {
  const queryClient = useQueryClient();
  const nextId = useRef(0);
  const [own, setOwn] = useState<PromptDraft[]>();
  const begin = stored?.isSaved ? stored.prompts : (stored?.found ?? []);
  const rows = own ?? begin.map((prompt, at) => ({ ...prompt, id: -1 - at }));
  const prompts = toPrompts(rows);
  const known = new Set(prompts.map(({ text }) => text));
  const params = { name };
  const saving = useMutation({
    mutationFn: () =>
      call(triggerTestsApi.savePrompts, { params, body: { prompts } }, ifMatch(stored)),
    onSuccess: (saved) => {
      queryClient.setQueryData(query(triggerTestsApi.prompts, { params }).queryKey, saved);
      setOwn(undefined);
      return refreshSkills(queryClient);
    },
  });

  function newRow(prompt: TriggerPrompt): PromptDraft {
    nextId.current += 1;
    return { ...prompt, id: nextId.current };
  }

  return {
    rows,
    prompts,
    missing: stored?.isSaved || own ? findMissingPrompts(stored, known) : [],
    isChanged: JSON.stringify(prompts) !== JSON.stringify(stored?.prompts ?? []),
    isTouched: own !== undefined && JSON.stringify(prompts) !== JSON.stringify(begin),
    isSaving: saving.isPending,
    error: saving.error,
    add: () => setOwn([...rows, newRow({ text: '', expect: true })]),
    take: (added) =>
      setOwn([...rows.filter(({ text }) => text.trim() !== ''), ...added.map(newRow)]),
    change: (id, change) =>
      setOwn(rows.map((row) => (row.id === id ? { ...row, ...change } : row))),
    remove: (id) => setOwn(rows.filter((row) => row.id !== id)),
    discard: () => {
      setOwn(undefined);
      saving.reset();
    },
    save: () => saving.mutate(),
  };
}

function toPrompts(rows: readonly PromptDraft[]): TriggerPrompt[] {
  const written = rows.map(({ text, expect }) => ({ text: text.trim(), expect }));
  return written.filter(({ text }) => text !== '');
}

function findMissingPrompts(
  stored: TriggerPrompts | undefined,
  known: ReadonlySet<string>,
): TriggerPrompt[] {
  return stored?.found.filter(({ text }) => !known.has(text)) ?? [];
}

function ifMatch(stored: TriggerPrompts | undefined) {
  return stored ? { ifMatch: stored.checksum } : {};
}
