import type { AppConfig } from '@knowhow/shared/apps';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import type { ModelTool } from '../models/model.ts';
import type { Described } from '../skill-format/skill-format.ts';
import { type Catalogue, type CatalogueRanking, renderCatalogue } from '../skills/catalogue.ts';
import type { SkillView, VisibleSkill } from '../skills/skill-view.ts';
import { skillsForModel } from '../tools/activate-skill-tool.ts';
import { offerTools } from '../tools/run-tool.ts';

const defaultCatalogueBudget = 4000;
/** Of what a request may have. */
const largestShare = 1 / 4;

interface Presenting {
  view: SkillView;
  app: AppConfig;
  config: SkillsConfig;
  usesTools: boolean;
  /** What a request may have, in tokens. */
  room: number;
  /** Ids of the skills that come first where not all find room. */
  ranked: () => readonly string[];
}

/** How a model learns of the skills of a view. */
interface PresentedSkills {
  /** Without a text where the app leaves it out. */
  catalogue: Catalogue;
  tools: ModelTool[];
}

/** What the prompt and the tools say of skills, as the app wants it. */
export function presentSkills(presenting: Presenting): PresentedSkills {
  const { view, app, config, usesTools, room } = presenting;
  const { catalog: hasCatalogue = true, showSource } = app.skillSettings ?? {};
  const known = skillsForModel(view);
  const listed = hasCatalogue ? known : [];
  const budget = config.settings?.catalogTokenBudget ?? defaultCatalogueBudget;
  const catalogue = renderCatalogue(
    showSource ? withOrigins(listed) : listed,
    Math.min(budget, Math.floor(room * largestShare)),
    rankingFor(presenting),
  );
  const isSearchable = catalogue.trimmed === 'ranked';
  return {
    catalogue,
    tools: usesTools ? offerTools({ view, hasCatalogue, isSearchable }) : [],
  };
}

/** The same list for the same skills: each entry is rendered once. */
function withOrigins(skills: readonly VisibleSkill[]): readonly Described[] {
  const known =
    originated.get(skills) ??
    skills.map(({ id, description, source }) => ({ id, description, origin: source }));
  originated.set(skills, known);
  return known;
}

const originated = new WeakMap<readonly VisibleSkill[], readonly Described[]>();

/** Undefined where the app wants every name that finds room, whatever is cut for it. */
function rankingFor({ app, usesTools, ranked }: Presenting): CatalogueRanking | undefined {
  const { discoveryMode = 'auto' } = app.skillSettings ?? {};
  return discoveryMode === 'catalog'
    ? undefined
    : {
        ids: ranked,
        more: usesTools ? moreBySearch : moreByName,
        isSearchOnly: discoveryMode === 'search' && usesTools,
      };
}

function moreBySearch(listed: number, total: number): string {
  return listed === 0
    ? `There are ${total} skills, and none of them is listed here. Before you answer a task, call search_skills with a few words that say what it is about.`
    : `These are ${listed} of ${total} skills. When none of them fits a task, call search_skills with a few words that say what it is about, before you answer without a skill.`;
}

function moreByName(listed: number, total: number): string {
  return `These are ${listed} of ${total} skills. The user can apply any other by typing "/" and its name.`;
}
