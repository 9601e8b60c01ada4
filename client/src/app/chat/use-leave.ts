import { useNavigate } from 'react-router';
import { useSignOut } from '../../features/account/use-me.ts';
import { forgetDrafts } from '../../features/composer/use-draft.ts';

/** Light or dark, the language, whether the sidebar is open, and skills as a table or as cards. */
const keptSettings = [
  'mantine-color-scheme-value',
  'knowhow-language',
  'knowhow-sidebar',
  'knowhow-skill-list',
];

/** Signs out, and leaves nothing of this user on the screen. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const signOut = useSignOut();
  return async () => {
    // The answer makes the browser forget what is stored; how somebody likes to see things is no secret.
    const settings = keptSettings.map((key) => [key, localStorage.getItem(key)] as const);
    await signOut();
    for (const [key, value] of settings) {
      if (value !== null) {
        localStorage.setItem(key, value);
      }
    }
    forgetDrafts();
    void navigate('/');
  };
}
