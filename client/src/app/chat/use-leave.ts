import { useNavigate } from 'react-router';
import { useSignOut } from '../../features/account/use-me.ts';
import { deleteDrafts } from '../../features/composer/use-draft.ts';

/** Storage keys to keep: theme, language, sidebar, and the view of the skill list. */
const keptSettings = [
  'mantine-color-scheme-value',
  'knowhow-language',
  'knowhow-sidebar',
  'knowhow-skill-list',
];

/** Signs out and clears all of the user's data from the page. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const signOut = useSignOut();
  return async () => {
    // The response clears the browser's storage; display preferences are not sensitive.
    const settings = keptSettings.map((key) => [key, localStorage.getItem(key)] as const);
    await signOut();
    for (const [key, value] of settings) {
      if (value !== null) {
        localStorage.setItem(key, value);
      }
    }
    deleteDrafts();
    void navigate('/');
  };
}
