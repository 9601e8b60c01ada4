import { placeholdersIn } from '@knowhow/shared/chat/placeholders';
import { type Prompt, type PromptConfig, promptsApi } from '@knowhow/shared/chat/prompts';
import { type UserPrompt, userPromptPrefix } from '@knowhow/shared/chat/user-prompts';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { getAppLook } from '@knowhow/shared/config/app-look';
import { type App, appsApi } from '@knowhow/shared/config/apps';
import { localize } from '@knowhow/shared/config/localized';
import { type Model, modelsApi } from '@knowhow/shared/config/models';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import { shortenText } from '../../../platform/lib/shorten-text.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { offeredResources, type ResourceGate } from '../../attachments/index.ts';
import {
  bringsSkills,
  findApp,
  type ListedModel,
  type ModelList,
  visibleApps,
} from '../../chat/index.ts';
import { type Caller, grants, ownPrompts, promptsSharedWith } from '../../identity/index.ts';
import type { CallServices, ServerPrompt, ServerPrompts } from '../../tools/index.ts';
import { getGreeting, startersOf } from '../app-texts.ts';
import type { Contents } from '../contents.ts';

export interface CatalogueDependencies {
  database: Database;
  contents: () => Contents;
  models: ModelList;
  /** Tool servers that a caller may use, with their prompts. */
  promptServers: (caller: Caller) => readonly ServerPrompts[];
  resourceServers: ResourceGate['resourceServers'];
  callServices: Pick<CallServices, 'toolbox'>;
}

/** Routes that list the available apps, models and prompts. */
export function catalogueRoutes(router: Router, dependencies: CatalogueDependencies): void {
  const { contents, models } = dependencies;
  const shown = async (app: AppConfig, caller: Caller): Promise<App> => {
    const { toolbox } = dependencies.callServices;
    const offered = await offeredResources({ ...dependencies, toolbox }, { caller, app });
    const offers = offered.length > 0 ? { offersResources: true as const } : {};
    return { ...toApp(app, caller, models), ...offers };
  };

  route(router, appsApi.list, async ({ caller, query }) => {
    const apps = visibleApps(caller, contents());
    return paginate(await Promise.all(apps.map((app) => shown(app, caller))), query);
  });

  route(router, appsApi.get, ({ caller, params }) =>
    shown(findApp(params.appId, caller, contents()), caller),
  );

  route(router, modelsApi.list, ({ caller, query }) => {
    const usable = models.usable(caller.permissions);
    const waiting = grants(caller.permissions.adminAccess, 'models')
      ? models.all().filter(({ needs }) => needs !== undefined)
      : [];
    return paginate(
      [...usable, ...waiting].map((model) => toModel(model, models)),
      query,
    );
  });

  route(router, promptsApi.list, async ({ caller, query }) =>
    paginate(await listPrompts(dependencies, caller), query),
  );

  route(router, promptsApi.fill, async ({ caller, body: { id, values } }) => {
    const [serverId, ...rest] = id.split('/');
    const found = dependencies.promptServers(caller).find(({ server }) => server.id === serverId);
    if (!found || rest.length === 0) {
      throw problem('not-found', `There is no prompt "${id}".`);
    }
    return { text: await found.fill(caller.id, rest.join('/'), values) };
  });
}

/** The prompts that a caller may use: from files, from servers, their own, and shared ones. */
export async function listPrompts(
  { database, contents, promptServers }: Omit<CatalogueDependencies, 'models'>,
  caller: Caller,
): Promise<Prompt[]> {
  const allowed = [...contents().prompts.values()].filter(
    ({ id, enabled }) => enabled && grants(caller.permissions.prompts, id),
  );
  const served = promptServers(caller).flatMap((server) =>
    server.list(caller.id).map((prompt) => toServedPrompt(server, prompt)),
  );
  const [own, shared] = caller.anonymous
    ? [[], []]
    : await Promise.all([
        ownPrompts(database, caller.id),
        promptsSharedWith(database, caller, contents()),
      ]);
  return [
    ...allowed.map(toPrompt),
    ...served,
    ...own.map((prompt) => ({ ...toWrittenPrompt(prompt), own: true as const })),
    ...shared.map((prompt) => ({ ...toWrittenPrompt(prompt), sharedBy: prompt.owner })),
  ];
}

/** Its placeholders become variables; the beginning of its text is its description. */
function toWrittenPrompt({ id, name, text }: UserPrompt): Prompt {
  return {
    id: userPromptPrefix + id,
    name,
    description: shortenText(text.replace(/\s+/g, ' ').trim(), isShort),
    prompt: text,
    variables: placeholdersIn(text).map((placeholder) => ({
      name: placeholder,
      label: placeholder,
      type: 'text' as const,
      required: false,
      defaultValue: '',
      options: [],
    })),
  };
}

const isShort = ({ length }: string) => length <= 160;

/** Lists fields explicitly, so that no other part of the file can leak. */
function toApp(app: AppConfig, caller: Caller, models: ModelList): App {
  return {
    id: app.id,
    name: app.name,
    description: app.description ?? '',
    ...getAppLook(app),
    greeting: getGreeting(app),
    starterPrompts: startersOf(app),
    models: models.usable(caller.permissions, app).map(({ config }) => config.id),
    showTrace: app.showTrace || grants(caller.permissions.adminAccess, 'traces'),
    bringsSkills: bringsSkills(app),
    asksUsers: (app.userVariables ?? []).length > 0,
  };
}

function toModel(model: ListedModel, models: ModelList): Model {
  const { config, needs } = model;
  return {
    id: config.id,
    name: config.name,
    description: config.description ?? '',
    provider: config.provider,
    supportsTools: models.takesTools(model),
    supportsVision: config.supportsVision,
    default: config.default,
    ...(needs === undefined ? {} : { needs: `needs ${needs}` }),
  };
}

function toServedPrompt({ server }: ServerPrompts, prompt: ServerPrompt): Prompt {
  return {
    id: `${server.id}/${prompt.name}`,
    name: prompt.title,
    description: prompt.description,
    server: localize(server.title, 'en'),
    prompt: '',
    variables: prompt.arguments.map(({ name, label, required }) => ({
      name,
      label,
      required,
      type: 'string' as const,
      defaultValue: '',
      options: [],
    })),
  };
}

function toPrompt(prompt: PromptConfig): Prompt {
  return {
    id: prompt.id,
    name: prompt.name,
    description: prompt.description ?? '',
    category: prompt.category,
    prompt: prompt.prompt,
    variables: (prompt.variables ?? []).map((variable) => ({
      name: variable.name,
      label: variable.label ?? variable.name,
      type: variable.type,
      required: variable.required,
      defaultValue: variable.defaultValue ?? '',
      options: variable.options ?? [],
    })),
  };
}
