import { useSessionStorage } from '@mantine/hooks';

/** The second model chosen in an app, kept for the lifetime of the tab. */
export function useComparisonModel(appId: string | undefined) {
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
