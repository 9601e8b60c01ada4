import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import {
  type Catalogue,
  type CatalogueRanking,
  type Described,
  renderCatalogue,
  type SkillView,
  type VisibleSkill,
} from '../skills/index.ts';
import { type SkillTool, skillsToTell, skillToolsFor } from '../tools/index.ts';

/** Maximum share of the request's token budget. */
const maxShare = 1 / 4;

interface Presenting {
  view: SkillView;
  app: AppConfig;
  config: SkillsConfig;
  usesTools: boolean;
  /** Token budget of a request. */
  room: number;
  /** IDs of the skills by relevance, used if not all fit. */
  ranked: () => readonly string[];
}

/** Which of the visible skills a model is told about. */
export interface Listing {
  /** `all`, `shortened` and `names` depend on the budget; `ranked` lists the best; `off` and `search` list none. */
  mode: 'all' | 'shortened' | 'names' | 'ranked' | 'search' | 'off';
  /** Token budget of the catalogue. */
  budget: number;
  /** IDs of the skills in the catalogue, in order. */
  shown: readonly string[];
  /** IDs of those whose description is shortened. */
  shortened: readonly string[];
  /** IDs of ranked skills that did not fit, best first. */
  behind: readonly string[];
}

/** How the visible skills are presented to a model. */
interface PresentedSkills {
  /** Its text is absent if the app hides the catalogue. */
  catalogue: Catalogue;
  listing: Listing;
  tools: readonly SkillTool[];
}

/** Builds the catalogue and the tools for skills according to the app's settings. */
export function presentSkills(presenting: Presenting): PresentedSkills {
  const { view, app, config, usesTools, room } = presenting;
  const { catalog: hasCatalogue, showSource } = app.skillSettings;
  const known = skillsToTell(view);
  const listed = hasCatalogue ? known : [];
  const wanted = config.settings.catalogTokenBudget;
  const budget = Math.min(wanted, Math.floor(room * maxShare));
  const ranking = rankingFor(presenting);
  const catalogue = renderCatalogue(showSource ? withOrigins(listed) : listed, budget, ranking);
  const { shown, shortened, behind } = catalogue;
  const mode = hasCatalogue ? modeOf(catalogue, ranking) : 'off';
  const isSearchable = catalogue.trimmed === 'ranked';
  return {
    catalogue,
    listing: { mode, budget, shown, shortened, behind },
    tools: usesTools ? skillToolsFor({ view, hasCatalogue, isSearchable }) : [],
  };
}

/** Returns the same array for the same skills, so that each entry is rendered once. */
function withOrigins(skills: readonly VisibleSkill[]): readonly Described[] {
  const known =
    originCache.get(skills) ??
    skills.map(({ id, description, source, origin = source }) => ({ id, description, origin }));
  originCache.set(skills, known);
  return known;
}

const originCache = new WeakMap<readonly VisibleSkill[], readonly Described[]>();

function modeOf({ trimmed }: Catalogue, ranking: CatalogueRanking | undefined): Listing['mode'] {
  return ranking?.isSearchOnly ? 'search' : modes[trimmed];
}

const modes = {
  not: 'all',
  descriptions: 'shortened',
  'names-only': 'names',
  ranked: 'ranked',
} as const;

/** Undefined if the app wants as many names as fit, with shortened descriptions. */
function rankingFor({ app, usesTools, ranked }: Presenting): CatalogueRanking | undefined {
  const { discoveryMode } = app.skillSettings;
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
