import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Described } from '../skill-format/skill-format.ts';
import { type Catalogue, type CatalogueRanking, renderCatalogue } from '../skills/catalogue.ts';
import type { SkillView, VisibleSkill } from '../skills/skill-view.ts';
import { skillsForModel } from '../tools/activate-skill-tool.ts';
import { offerTools } from '../tools/run-tool.ts';
import type { TranslatableTool } from '../tools/translate-tools.ts';

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

/** What of the skills of a view a model is told. */
export interface Listing {
  /** `all`, `shortened` and `names` by what there is room for; `ranked` the best; `off` and `search` none. */
  mode: 'all' | 'shortened' | 'names' | 'ranked' | 'search' | 'off';
  /** Tokens that the catalogue may have. */
  budget: number;
  /** Ids of the skills in the catalogue, in its order. */
  shown: readonly string[];
  /** Of these, those without their whole description. */
  shortened: readonly string[];
  /** Ids of those that are ranked and found no room, best first. */
  behind: readonly string[];
}

/** How a model learns of the skills of a view. */
interface PresentedSkills {
  /** Without a text where the app leaves it out. */
  catalogue: Catalogue;
  listing: Listing;
  tools: TranslatableTool[];
}

/** What the prompt and the tools say of skills, as the app wants it. */
export function presentSkills(presenting: Presenting): PresentedSkills {
  const { view, app, config, usesTools, room } = presenting;
  const { catalog: hasCatalogue = true, showSource } = app.skillSettings ?? {};
  const known = skillsForModel(view);
  const listed = hasCatalogue ? known : [];
  const wanted = config.settings?.catalogTokenBudget ?? defaultCatalogueBudget;
  const budget = Math.min(wanted, Math.floor(room * largestShare));
  const ranking = rankingFor(presenting);
  const catalogue = renderCatalogue(showSource ? withOrigins(listed) : listed, budget, ranking);
  const { shown, shortened, behind } = catalogue;
  const mode = hasCatalogue ? modeOf(catalogue, ranking) : 'off';
  const isSearchable = catalogue.trimmed === 'ranked';
  return {
    catalogue,
    listing: { mode, budget, shown, shortened, behind },
    tools: usesTools ? offerTools({ view, hasCatalogue, isSearchable }) : [],
  };
}

/** The same list for the same skills: each entry is rendered once. */
function withOrigins(skills: readonly VisibleSkill[]): readonly Described[] {
  const known =
    originated.get(skills) ??
    skills.map(({ id, description, source, origin = source }) => ({ id, description, origin }));
  originated.set(skills, known);
  return known;
}

const originated = new WeakMap<readonly VisibleSkill[], readonly Described[]>();

function modeOf({ trimmed }: Catalogue, ranking: CatalogueRanking | undefined): Listing['mode'] {
  return ranking?.isSearchOnly ? 'search' : modes[trimmed];
}

const modes = {
  not: 'all',
  descriptions: 'shortened',
  'names-only': 'names',
  ranked: 'ranked',
} as const;

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
