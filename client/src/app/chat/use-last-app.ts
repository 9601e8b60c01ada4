import { useLocalStorage } from '@mantine/hooks';

/** The ID of the most recently used app, and a setter. */
export function useLastApp() {
  return useLocalStorage<string | undefined>({
    key: 'knowhow-app',
    defaultValue: undefined,
    getInitialValueInEffect: false,
  });
}
