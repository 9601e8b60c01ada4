import { useNavigate } from 'react-router';
import { useSignOut } from '../features/account/use-me.ts';
import { forgetDrafts } from '../features/composer/use-draft.ts';

/** Signs out, and leaves nothing of this user on the screen. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const signOut = useSignOut();
  return async () => {
    await signOut();
    forgetDrafts();
    navigate('/');
  };
}
