import { builtInVariables } from '@knowhow/shared/access/user-variables';
import type { ContentIssue } from '@knowhow/shared/config/health';
import { listPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import type { Contents } from './contents.ts';

/** Issues for placeholders in apps' prompts that nothing fills, so that models would see them literally. */
export function unresolvedPlaceholders({ apps }: Pick<Contents, 'apps'>): ContentIssue[] {
  return [...apps.values()].flatMap(({ id, system = '', userVariables }) => {
    const known = new Set<string>([...builtInVariables, ...userVariables.map(({ name }) => name)]);
    const texts = typeof system === 'string' ? [system] : Object.values(system);
    const unknown = new Set(texts.flatMap(listPlaceholders).filter((name) => !known.has(name)));
    return [...unknown].map((name) => ({
      path: `contents/apps/${id}.json`,
      field: 'system',
      message: `Nothing fills {{${name}}}: models get it unchanged. Add it to "userVariables", or remove it.`,
      isUsed: true,
    }));
  });
}
