import { Notifications } from '@mantine/notifications';
import { useLocation } from 'react-router';

/** Positions that cover no controls: the chat has its composer below, admin pages their actions on top. */
export function Toasts() {
  const { pathname } = useLocation();
  const position = pathname.startsWith('/admin') ? 'bottom-right' : 'top-center';
  return <Notifications position={position} containerWidth={420} />;
}
