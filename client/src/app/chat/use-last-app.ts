import { useLocalStorage } from '@mantine/hooks';

/** The id of the app that a message was sent to last, and what remembers another one. */
export function useLastApp() {
  return useLocalStorage<string | undefined>({
    key: 'knowhow-app',
    defaultValue: undefined,
    getInitialValueInEffect: false,
  });
}
