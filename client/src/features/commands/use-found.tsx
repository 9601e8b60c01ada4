import { type AdminRight, holdsRight } from '@knowhow/shared/access/admin-rights';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { promptsApi } from '@knowhow/shared/chat/prompts';
import {
  adminAppsApi,
  adminGroupsApi,
  adminModelsApi,
  adminPromptsApi,
} from '@knowhow/shared/config/admin-config';
import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { appsApi } from '@knowhow/shared/config/apps';
import { localizedSchema } from '@knowhow/shared/config/localized';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import {
  IconBlockquote,
  IconCpu,
  IconLayoutGrid,
  IconMessage,
  IconMessage2,
  IconTool,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { allItems, query } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { Bolt } from '../../ui/bolt.tsx';
import type { Command } from './command.ts';

/** Navigates within the app. */
type Go = (path: string) => void;

/** Page size of searches, and maximum results of local lists. */
export const maxResults = 8;

/** Short lists are loaded completely, once, and searched locally. */
const staleTime = 30_000;

/** Conversations that match the search; the newest while it is empty. */
export function useFoundConversations(asked: string, go: Go) {
  const { data, isPending, error, refetch } = useQuery({
    ...query(conversationsApi.list, {
      query: asked ? { query: asked, limit: 20 } : { limit: 8 },
    }),
    placeholderData: keepPreviousData,
  });
  const conversations = (data?.items ?? []).map(
    ({ id, title, hit }): Command => ({
      id,
      label: title,
      icon: <IconMessage size={17} aria-hidden />,
      run: () => go(hit ? `/c/${id}#${hit.messageId}` : `/c/${id}`),
    }),
  );
  return { conversations, isPending, error, retry: refetch };
}

/** The skills that this user may choose. */
export function useFoundSkills(asked: string, go: Go): Command[] {
  const localizeSkill = useLocalizeSkill();
  const { data } = useQuery({
    ...query(skillsApi.list, { query: { query: asked, limit: maxResults } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.items ?? []);
  return found
    .filter(({ userInvocable }) => userInvocable)
    .map((skill) => ({ name: skill.name, title: localizeSkill(skill).title }))
    .map(({ name, title }) => ({
      id: `use-${name}`,
      label: title === name ? name : `${title} (${name})`,
      icon: <Bolt size={17} />,
      run: () => go(`/use/${encodeURIComponent(name)}`),
    }));
}

/** The apps and prompts that this user may use. */
export function useOffered(go: Go, onUsePrompt: (title: string) => void) {
  const localize = useLocalize();
  const apps = useQuery({ ...allItems(appsApi.list, {}), staleTime });
  const prompts = useQuery({ ...allItems(promptsApi.list, {}), staleTime });
  return {
    apps: (apps.data ?? []).map(
      ({ id, name, icon, color }): Command => ({
        id: `app-${id}`,
        label: localize(name),
        icon:
          icon || color ? (
            <AppIcon {...{ icon, color }} />
          ) : (
            <IconLayoutGrid size={17} aria-hidden />
          ),
        run: () => go(`/apps/${encodeURIComponent(id)}`),
      }),
    ),
    prompts: (prompts.data ?? []).map((prompt): Command => {
      const label = localize(prompt.name);
      return {
        id: `prompt-${prompt.id}`,
        label,
        icon: <IconMessage2 size={17} aria-hidden />,
        run: () => onUsePrompt(label),
      };
    }),
  };
}

/** All skills, for users who administer them. */
export function useManagedSkills(asked: string, isTheirs: boolean, go: Go): Command[] {
  const { data } = useQuery({
    ...query(adminSkillsApi.list, { query: { query: asked, limit: maxResults } }),
    enabled: isTheirs && asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.items ?? []);
  return found
    .filter(({ status }) => status !== 'shadowed')
    .map(({ location, name }) => ({
      id: location,
      label: name,
      icon: <Bolt size={17} />,
      run: () => go(`/admin/skills/${encodeURIComponent(name)}`),
    }));
}

/** Matching users, for users who administer them. */
export function useFoundUsers(asked: string, isTheirs: boolean, go: Go): Command[] {
  const { data } = useQuery({
    ...query(adminUsersApi.list, { query: { query: asked, limit: maxResults } }),
    enabled: isTheirs && asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.items ?? []);
  return found.map(({ id, name, username }) => ({
    id,
    label: name === username ? name : `${name} (${username})`,
    icon: <IconUser size={17} aria-hidden />,
    run: () => go(`/admin/users?query=${encodeURIComponent(username)}`),
  }));
}

/** Apps, groups, models, prompts and tools that the user administers. */
export function useConfigured(rights: readonly string[], go: Go) {
  const localize = useLocalize();
  const whole = (right: AdminRight) => ({ enabled: holdsRight(rights, [right]), staleTime });
  const apps = useQuery({ ...allItems(adminAppsApi.list, {}), ...whole('apps') });
  const groups = useQuery({ ...allItems(adminGroupsApi.list, {}), ...whole('groups') });
  const models = useQuery({ ...allItems(adminModelsApi.list, {}), ...whole('models') });
  const prompts = useQuery({ ...allItems(adminPromptsApi.list, {}), ...whole('prompts') });
  const tools = useQuery({ ...query(adminToolsApi.list, {}), ...whole('tools') });
  const items = (kind: keyof typeof icons, list: typeof apps.data = []) =>
    list.map(({ id, config }): Command => {
      const Icon = icons[kind];
      const name = localizedSchema.safeParse(config?.name);
      return {
        id: `${kind}-${id}`,
        label: (name.success && localize(name.data)) || id,
        icon: <Icon size={17} aria-hidden />,
        run: () => go(`/admin/${kind}/${encodeURIComponent(id)}`),
      };
    });
  const offered = tools.data?.sources.flatMap((source) => source.tools) ?? [];
  return {
    apps: items('apps', apps.data),
    groups: items('groups', groups.data),
    models: items('models', models.data),
    prompts: items('prompts', prompts.data),
    tools: offered.map(
      ({ id, name, title }): Command => ({
        id: `tool-${id}`,
        label: title || name,
        icon: <IconTool size={17} aria-hidden />,
        run: () => go(`/admin/tools/${name}`),
      }),
    ),
  };
}

const icons = {
  apps: IconLayoutGrid,
  groups: IconUsers,
  models: IconCpu,
  prompts: IconBlockquote,
} as const;
