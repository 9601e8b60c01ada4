import type { Contents } from '../content/contents.ts';
import type { Choice } from './choose-entries.ts';

type Items = 'apps' | 'models' | 'prompts';

/** The configuration as it would be after restoring the selection. */
export function expectedContents(now: Contents, backup: Contents, choice: Choice): Contents {
  const items = <Kind extends Items>(kind: Kind) => expectedItems(kind, { now, backup, choice });
  const config = <Kind extends 'platform' | 'groups' | 'skills' | 'tools'>(
    kind: Kind,
  ): Contents[Kind] => (choice.covers(`contents/config/${kind}.json`) ? backup : now)[kind];
  return {
    platform: config('platform'),
    groups: config('groups'),
    skills: config('skills'),
    tools: config('tools'),
    mcpServers: (choice.covers('contents/config/mcp.json') ? backup : now).mcpServers,
    apps: items('apps'),
    models: items('models'),
    prompts: items('prompts'),
    faults: [],
    unfilled: [],
    variables: (choice.covers('contents/config/platform.json') ? backup : now).variables,
  };
}

function expectedItems<Kind extends Items>(
  kind: Kind,
  { now, backup, choice }: { now: Contents; backup: Contents; choice: Choice },
): Contents[Kind] {
  if (choice.hasPart(kind)) {
    return backup[kind];
  }
  const chosen = [...backup[kind]].filter(([id]) => choice.covers(`contents/${kind}/${id}.json`));
  // The compiler cannot infer that both maps have the same kind.
  return new Map<string, unknown>([...now[kind], ...chosen]) as unknown as Contents[Kind];
}
