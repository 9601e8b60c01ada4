import { useState } from 'react';
import { usePersistedState } from '../../ui/use-persisted-state.ts';
import {
  type Draft,
  type Drafts,
  draftsSchema,
  rebaseDrafts,
  withDraft,
  withMovedDraft,
  withoutDraft,
} from './file-drafts.ts';
import type { Saved } from './save-drafts.ts';

const none: Drafts = {};

export type FileDrafts = ReturnType<typeof useDrafts>;

/** The unsaved changes of a skill's files. */
export function useDrafts(skillName: string) {
  const {
    value: drafts,
    setValue,
    wasKept,
  } = usePersistedState(`files:${skillName}`, draftsSchema, none);
  const [isAccepted, setAccepted] = useState(!wasKept);

  function change(next: (drafts: Drafts) => Drafts) {
    setValue((before) => {
      const after = next(before);
      return Object.keys(after).length === 0 ? none : after;
    });
  }

  return {
    all: drafts,
    paths: Object.keys(drafts),
    /** Restored from an earlier visit, without a decision yet. */
    areOld: !isAccepted && drafts !== none,
    accept: () => setAccepted(true),
    /** Updates a draft; `read` is the text when it was loaded. */
    write: (path: string, text: string, read: Omit<Draft, 'text'>) =>
      change((before) => withDraft(before, path, { ...(before[path] ?? read), text })),
    put: (path: string, draft: Draft) => change((before) => withDraft(before, path, draft)),
    discard: (path: string) => change((before) => withoutDraft(before, path)),
    discardAll: () => {
      change(() => none);
      setAccepted(true);
    },
    move: (from: string, to: string) => change((before) => withMovedDraft(before, from, to)),
    moveOn: (from: string, to: string) => change((before) => rebaseDrafts(before, from, to)),
    /** Text typed during a save stays, as a change on top of the saved version. */
    saved: ({ path, text, from, skill: { checksum } }: Saved) =>
      change((before) => {
        const after = rebaseDrafts(before, from, checksum);
        const draft = after[path];
        return draft ? withDraft(after, path, { ...draft, base: text, checksum }) : after;
      }),
  };
}
