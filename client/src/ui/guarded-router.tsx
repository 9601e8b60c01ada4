import { createContext, type ReactNode, useState, useSyncExternalStore } from 'react';
import { Router } from 'react-router';
import { GuardedHistory } from './guarded-history.ts';

/** How pages hold back what would leave them. */
export const HistoryContext = createContext<GuardedHistory | undefined>(undefined);

/** `BrowserRouter`, with a history that a page can hold. */
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
