import type { AppConfig } from '@knowhow/shared/apps';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import type { ModelTool } from '../models/model.ts';
import { type Catalogue, renderCatalogue } from '../skills/catalogue.ts';
import { recommendSkills } from '../skills/recommend-skills.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { skillsForModel } from '../tools/activate-skill-tool.ts';
import { offerTools } from '../tools/run-tool.ts';

const defaultCatalogueBudget = 4000;

interface Presenting {
  view: SkillView;
  app: AppConfig;
  config: SkillsConfig;
  usesTools: boolean;
}

/** How a model learns of the skills of a view. */
interface PresentedSkills {
  /** Without a text where the app leaves it out. */
  catalogue: Catalogue;
  /** The `<recommended_skills>` block; may be empty. */
  recommended: string;
  /** Ids of the skills whose names are in one of the two. */
  names: ReadonlySet<string>;
  tools: ModelTool[];
}

/** What the prompt and the tools say of skills, as the app wants it. */
export function presentSkills({ view, app, config, usesTools }: Presenting): PresentedSkills {
  const { catalog: hasCatalogue = true, showSource, autoInject } = app.skillSettings ?? {};
  const known = skillsForModel(view);
  const listed = hasCatalogue ? known : [];
  const catalogue = renderCatalogue(
    showSource
      ? listed.map(({ id, description, source }) => ({ id, description, origin: source }))
      : listed,
    config.settings?.catalogTokenBudget ?? defaultCatalogueBudget,
  );
  const injected = new Set(autoInject);
  const recommended = recommendSkills(known.filter(({ id }) => injected.has(id)));
  const shown = listed.slice(0, listed.length - catalogue.hidden).map(({ id }) => id);
  return {
    catalogue,
    recommended: recommended.text,
    names: new Set([...shown, ...recommended.names]),
    tools: usesTools ? offerTools({ view, hasCatalogue }) : [],
  };
}
