import { useState } from 'react';

/** Conversations that are chosen to be deleted together. */
export interface Selection {
  /** Undefined while nothing is being chosen. */
  ids: ReadonlySet<string> | undefined;
  /** The one it began with. */
  first: string | undefined;
  begin: (id: string) => void;
  toggle: (id: string) => void;
  end: () => void;
}

export function useSelection(): Selection {
  const [state, setState] = useState<{ first: string; ids: ReadonlySet<string> }>();
  return {
    ids: state?.ids,
    first: state?.first,
    begin: (id) => setState({ first: id, ids: new Set([id]) }),
    toggle: (id) =>
      setState((now) => {
        const ids = new Set(now?.ids);
        if (!ids.delete(id)) {
          ids.add(id);
        }
        return now && { ...now, ids };
      }),
    end: () => setState(undefined),
  };
}
