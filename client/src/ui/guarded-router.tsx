import { createContext, type ReactNode, useState, useSyncExternalStore } from 'react';
import { Router } from 'react-router';
import { GuardedHistory } from './guarded-history.ts';

/** How pages block navigation. */
export const HistoryContext = createContext<GuardedHistory | undefined>(undefined);

/** `BrowserRouter` with a blockable history. */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => new GuardedHistory());
  const location = useSyncExternalStore(history.listen, history.location);
  return (
    <HistoryContext value={history}>
      {/* As transitions, navigations would wait until an answer has streamed. */}
      <Router navigator={history} location={location} useTransitions={false}>
        {children}
      </Router>
    </HistoryContext>
  );
}
