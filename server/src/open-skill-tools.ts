import type { ContentStore } from './modules/content/index.ts';
import {
  createSkillView,
  getSkillSettings,
  type SkillSecrets,
  type SkillStore,
} from './modules/skills/index.ts';
import {
  createSkillToolSource,
  type FlowServices,
  type PageReader,
  type Runner,
  readWebPage,
  type ToolSource,
} from './modules/tools/index.ts';

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
    runner,
    reach,
    hostsOf: (skill: string) => entryOf(skill)?.hosts ?? [],
    settingsOf: async (skill: string) => ({
      ...entryOf(skill)?.settings,
      ...(await secrets.read(skill)),
    }),
  };
  return createSkillToolSource({ ...reach(), everything, code });
}
