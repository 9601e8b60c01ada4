import type { Me } from '@knowhow/shared/access/auth';
import { useLocalStorage } from '@mantine/hooks';
import { Outlet } from 'react-router';
import { useDeletions } from '../../features/conversations/use-deletions.ts';
import { useEndedTurns } from '../answering/use-ended-turns.ts';
import { Frame } from './frame.tsx';
import type { ShellOutlet } from './shell-outlet.ts';
import { Sidebar } from './sidebar.tsx';
import { useFrame } from './use-frame.ts';

/** The frame of every chat page, with a collapsible list of conversations. */
export function Shell({ me }: { me: Me }) {
  const frame = useFrame();
  useEndedTurns();
  const [isPinned, setPinned] = useLocalStorage({
    key: 'knowhow-sidebar',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const deletions = useDeletions();
  const setOpen = frame.isPhone ? frame.setDrawn : setPinned;
  const outlet: ShellOutlet = {
    hasSidebar: !frame.isPhone && isPinned,
    openSidebar: () => setOpen(true),
  };

  return (
    <Frame
      me={me}
      frame={frame}
      hasSidebar={isPinned}
      sidebar={
        <Sidebar
          me={me}
          deletions={deletions}
          onClose={() => setOpen(false)}
          onOpen={frame.setDialog}
        />
      }
    >
      <Outlet context={outlet} />
    </Frame>
  );
}
