import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { OpenDialog } from './dialogs.tsx';
import { useShortcuts } from './use-shortcuts.ts';

export interface FrameState {
  isPhone: boolean;
  /** On a phone: whether the drawer with the sidebar is open. */
  isDrawn: boolean;
  setDrawn: (isDrawn: boolean) => void;
  dialog: OpenDialog;
  setDialog: (dialog: OpenDialog) => void;
}

/** The state of a `Frame`, and its keyboard shortcuts. */
export function useFrame(): FrameState {
  const navigate = useNavigate();
  const { key } = useLocation();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [isDrawn, setDrawn] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
  useShortcuts({
    search: () => setDialog('commands'),
    newConversation: () => navigate('/'),
    keys: () => setDialog('keys'),
  });

  // Closes the drawer after navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is the occasion
  useEffect(() => setDrawn(false), [key]);

  return { isPhone, isDrawn, setDrawn, dialog, setDialog };
}
