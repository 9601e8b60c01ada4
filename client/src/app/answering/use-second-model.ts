import { useSessionStorage } from '@mantine/hooks';

/** The model that was chosen to answer beside the first in an app, for as long as the tab is there. */
export function useSecondModel(appId: string | undefined) {
  const [chosen, remember] = useSessionStorage<Record<string, string | undefined>>({
    key: 'knowhow-second',
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const choose = (id: string | undefined) => {
    if (appId !== undefined) {
      remember({ ...chosen, [appId]: id });
    }
  };
  return [appId === undefined ? undefined : chosen[appId], choose] as const;
}
