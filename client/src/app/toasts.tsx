import { Notifications } from '@mantine/notifications';

export function Toasts() {
  return <Notifications position="top-center" containerWidth={420} />;
}
