import type { UserVariable } from '@knowhow/shared/access/user-variables';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { type AppAnswers, appVariablesApi } from '@knowhow/shared/config/app-variables';
import type { Router } from 'express';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { checkAnswers, findApp, findMissingAnswers, validAnswers } from '../../chat/index.ts';
import { type Answers, getAppAnswers, setAppAnswers } from '../../identity/index.ts';
import type { Contents } from '../contents.ts';

/** Routes for the variables that apps ask their users for. */
export function appVariableRoutes(
  router: Router,
  { database, contents }: { database: Database; contents: () => Contents },
): void {
  route(router, appVariablesApi.get, async ({ caller, params }) => {
    const app = findApp(params.appId, caller, contents());
    const answers = caller.anonymous ? {} : await getAppAnswers(database, caller.id, app.id);
    return describeAnswers(app, answers, !caller.anonymous);
  });

  route(router, appVariablesApi.set, async ({ caller, params, body }) => {
    const app = findApp(params.appId, caller, contents());
    rejectGuest(caller, 'Answers of guests are not saved.');
    const answers = checkAnswers(app, body.values);
    const exists = (id: string) => contents().apps.has(id);
    await setAppAnswers(database, caller.id, { appId: app.id, answers, exists });
    return describeAnswers(app, answers, true);
  });
}

function describeAnswers(app: AppConfig, answers: Answers, canKeep: boolean): AppAnswers {
  return {
    variables: (app.userVariables ?? []).map(toVariable),
    values: validAnswers(app, answers),
    isIncomplete: findMissingAnswers(app, answers).length > 0,
    canKeep,
  };
}

function toVariable(variable: UserVariable): AppAnswers['variables'][number] {
  return {
    name: variable.name,
    label: variable.label ?? variable.name,
    description: variable.description ?? '',
    type: variable.type,
    required: variable.required ?? false,
    defaultValue: variable.defaultValue ?? '',
    options: variable.options ?? [],
    maxLength: variable.maxLength,
  };
}
