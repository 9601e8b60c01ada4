import type { ContentStore } from './content/content-store.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import { createSkillView } from './skills/skill-view.ts';
import type { FlowMeans } from './tools/skill-tools/run-flow.ts';
import { createSkillToolSource } from './tools/skill-tools/skill-tool-source.ts';
import type { ToolSource } from './tools/tool-source.ts';

interface Dependencies {
  content: ContentStore;
  skills: SkillStore;
  means: FlowMeans;
}

/** The tools of skills, which are there as long as their skills are. */
export function openSkillTools({ content, skills, means }: Dependencies): ToolSource {
  const everything = () => {
    const { skills: config, apps } = content.current;
    return createSkillView({ store: skills, config, grant: 'all', apps: [...apps.values()] });
  };
  return createSkillToolSource({ ...means, everything });
}
