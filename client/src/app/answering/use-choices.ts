import { type App, appsApi } from '@knowhow/shared/config/apps';
import { type Model, modelsApi } from '@knowhow/shared/config/models';
import { useLocalStorage, useSessionStorage } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { allItems } from '../../api/query.ts';
import type { ConversationFacts } from '../../features/turn/use-conversation.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { useLastApp } from '../chat/use-last-app.ts';

interface ChoicesOptions {
  /** Whether this is a new conversation. */
  isFresh: boolean;
  /** The app named in the URL of a new conversation. */
  wantedAppId: string | undefined;
  conversation: ConversationFacts | undefined;
  /** Whether a second model can be chosen here. */
  hasSecond: boolean;
}

/**
 * The app and model of the next message: the choice made here, else the conversation's, else the most recent
 * choice, else the first available.
 */
export function useChoices({ isFresh, wantedAppId, conversation, hasSecond }: ChoicesOptions) {
  const localize = useLocalize();
  const [apps, models] = useQueries({
    queries: [
      { ...allItems(appsApi.list, {}), staleTime: 60_000 },
      { ...allItems(modelsApi.list, {}), staleTime: 60_000 },
    ],
  });
  const [chosenModel, setChosenModel] = useState<string>();
  const [lastApp, rememberApp] = useLastApp();
  const [lastModels, rememberModels] = useLocalStorage<Record<string, string>>({
    key: 'knowhow-models',
    defaultValue: {},
    getInitialValueInEffect: false,
  });

  const lastOrFirst = findById(apps.data, lastApp) ?? apps.data?.[0];
  const appId = isFresh ? (wantedAppId ?? lastOrFirst?.id) : conversation?.appId;
  const app = findById(apps.data, appId);
  const [chosenSecond, chooseSecond] = useComparisonModel(appId);
  const offered = useMemo(
    () => (app?.models ?? []).flatMap((id) => findById(models.data, id) ?? []),
    [app, models.data],
  );
  const usable = offered.filter(({ needs }) => needs === undefined);
  const model = [chosenModel, conversation?.model, app && lastModels[app.id]]
    .map((id) => findById(usable, id))
    .find((found) => found !== undefined);

  const first = model ?? usable[0];

  const modelName = useCallback(
    (id: string) => localize(findById(models.data, id)?.name) || id,
    [localize, models.data],
  );

  function chooseModel(id: string) {
    setChosenModel(id);
    if (app) {
      rememberModels({ ...lastModels, [app.id]: id });
    }
  }

  return {
    apps: apps.data ?? [],
    models: offered,
    app,
    model: first,
    /** The second model for comparison, if any. */
    second: hasSecond
      ? usable.find(({ id }) => id === chosenSecond && id !== first?.id)?.id
      : undefined,
    chooseSecond,
    isPending: apps.isPending || models.isPending,
    error: apps.error ?? models.error,
    retry: () => Promise.all([apps.refetch(), models.refetch()]),
    /** The name of a model, or its ID if it is no longer known. */
    modelName,
    chooseModel,
    rememberApp,
  };
}

export type Choices = ReturnType<typeof useChoices>;

function findById<Item extends App | Model>(items: Item[] = [], id?: string): Item | undefined {
  return items.find((item) => item.id === id);
}

/** The second model chosen in an app, kept for the lifetime of the tab. */
function useComparisonModel(appId: string | undefined) {
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
