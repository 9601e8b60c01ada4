import type { ContentStore } from './content/content-store.ts';
import type { Runner } from './runner/runner.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import type { SkillSecrets } from './skills/skill-secrets.ts';
import { getSkillSettings } from './skills/skill-settings.ts';
import { createSkillView } from './skills/skill-view.ts';
import type { PageReader } from './tools/builtin/read-page.ts';
import { readWebPage } from './tools/skill-tools/read-web-page.ts';
import type { FlowServices } from './tools/skill-tools/run-flow.ts';
import { createSkillToolSource } from './tools/skill-tools/skill-tool-source.ts';
import type { ToolSource } from './tools/tool-source.ts';

interface Dependencies {
  content: ContentStore;
  skills: SkillStore;
  secrets: SkillSecrets;
  /** Guarded; calls `checkAddress` before each request and redirect, and aborts if it throws. */
  fetchFor: (checkAddress?: (url: URL) => void) => typeof fetch;
  reader: PageReader;
  runner: Runner | undefined;
}

/** Tools provided by the available skills. */
export function openSkillTools({
  content,
  skills,
  secrets,
  fetchFor,
  reader,
  runner,
}: Dependencies): ToolSource {
  const everything = () => {
    const { skills: config, apps } = content.current;
    return createSkillView({ store: skills, config, grant: 'all', apps: [...apps.values()] });
  };
  const reach = (checkAddress?: (url: URL) => void): FlowServices => {
    const fetch = fetchFor(checkAddress);
    return { fetch, readPage: (page, call) => readWebPage(page, { fetch, reader, call }) };
  };
  const entryOf = (skill: string) => getSkillSettings(skill, content.current.skills)?.tool;
  const code = runner && {
    ...{ runner, reach },
    hostsOf: (skill: string) => entryOf(skill)?.hosts ?? [],
    settingsOf: async (skill: string) => ({
      ...entryOf(skill)?.settings,
      ...(await secrets.read(skill)),
    }),
  };
  return createSkillToolSource({ ...reach(), everything, code });
}
