import type { ContentStore } from './modules/content/content-store.ts';
import type { SkillSecrets } from './modules/skills/skill-secrets.ts';
import { getSkillSettings } from './modules/skills/skill-settings.ts';
import { createSkillView } from './modules/skills/skill-view.ts';
import type { SkillStore } from './modules/skills/store/skill-store.ts';
import type { PageReader } from './modules/tools/builtin/read-page.ts';
import type { Runner } from './modules/tools/runner/runner.ts';
import { readWebPage } from './modules/tools/skill-tools/read-web-page.ts';
import type { FlowServices } from './modules/tools/skill-tools/run-flow.ts';
import { createSkillToolSource } from './modules/tools/skill-tools/skill-tool-source.ts';
import type { ToolSource } from './modules/tools/tool-source.ts';

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
