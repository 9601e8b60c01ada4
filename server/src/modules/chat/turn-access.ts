import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Contents } from '../content/index.ts';
import { type Caller, type Grant, getSkillOwner, grants } from '../identity/index.ts';
import type { AskModel, ModelRequest } from '../models/index.ts';
import {
  type ConversationText,
  createSkillView,
  rankForConversation,
  type SkillRanking,
  type SkillSnapshot,
  type SkillStore,
  type SkillView,
} from '../skills/index.ts';
import { type OfferedTool, ownTool, type TranslatableTool, toModelTool } from '../tools/index.ts';
import { findApp } from './find-app.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import { type Listing, presentSkills } from './present-skills.ts';
import { chooseModel } from './turn-checks.ts';
import { allocateWindow } from './window.ts';

/** The permissions and offer of a turn at one moment. Immutable. */
export interface TurnAccess {
  app: AppConfig;
  model: ListedModel;
  ask: AskModel;
  /** The model that routes skills. */
  router: () => { model: ListedModel; ask: AskModel };
  config: SkillsConfig;
  usesTools: boolean;
  /** Template and values of a prompt whose placeholders were filled in. */
  filled?: { template: string; values: Readonly<Record<string, string>> };
  /** Call it when the model's server has rejected tools; the next round's access has none. */
  refuseTools(): void;
  /** Call it when the model's server has rejected the schema of one tool. */
  refuseTool(name: string): void;
  /** Call it with the server's token count of a request and our estimate. */
  noteTokens(tokens: { estimated: number; counted: number }): void;
  /** Output schema that a program requests. */
  answerSchema?: ModelRequest['answerSchema'];
  /** Tools of sources that the caller's groups grant. */
  toolGrant: Grant;
  /** Ids of the caller's groups. */
  groups: readonly string[];
  /** Whether the caller administers models and may read providers' error messages. */
  isAdmin: boolean;
  /** Computed lazily, because some callers only check whether the turn may continue. */
  offered(): OfferedSkills;
}

/** The visible skills and how they are described to the model. */
interface OfferedSkills {
  view: SkillView;
  /** The `<available_skills>` block; may be empty. */
  catalogue: string;
  /** Whether there are too many skills to list, so that the catalogue is ranked by how the conversation began. */
  isRanked: boolean;
  /** IDs of the top-ranked skills in it, if it is ranked and lists any. */
  ranked: readonly string[] | undefined;
  /** Whether a skill is missing from a ranked catalogue, so that messages may suggest it. */
  isUnlisted(skill: string): boolean;
  /**
   * As described to the model. The same array only for turns that are offered the same skills and tools, so that what
   * is derived from the offer can be cached by it.
   */
  tools: TranslatableTool[];
  /** The same by the name that models call, without tools that an API client runs itself. */
  runnable: ReadonlyMap<string, OfferedTool>;
  /** Every permitted tool of a source, offered or not; a running tool may call these. */
  callableTools?: () => ReadonlyMap<string, OfferedTool>;
  listing: Listing;
  /** Skills that are switched off in the conversation. */
  off: ReadonlySet<string>;
}

/**
 * Computes what a turn may use now. Returns the same object while nothing has changed, so that requests share a
 * prefix. Throws the problem that ends the turn.
 */
export type AskAccess = () => Promise<TurnAccess>;

interface Asking {
  /** The caller with current permissions. Throws if their access has been revoked. */
  callerNow: () => Promise<Caller>;
  appId: string;
  modelId: string;
  /** Skills that are switched off in the conversation. */
  skillsOff: ReadonlySet<string>;
  /** Ranks the catalogue if it is too large to list. */
  beginning: ConversationText;
}

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
  models: ModelList;
  ranking: SkillRanking;
}

export function turnAccess(asking: Asking, dependencies: Dependencies): AskAccess {
  let known: { basis: Basis; access: TurnAccess } | undefined;
  return async () => {
    const caller = await asking.callerNow();
    const basis: Basis = [
      dependencies.contents(),
      dependencies.skills.snapshot,
      JSON.stringify(caller.groups),
      dependencies.models.revision(),
      getOwnSkills(caller, dependencies),
    ];
    if (known?.basis.every((part, index) => part === basis[index])) {
      return known.access;
    }
    const access = await createAccess({ ...asking, caller }, dependencies);
    known = { basis, access };
    return access;
  };
}

/** If there is an embedding model, embeds the first message before the skills are ranked by it. */
async function createAccess(
  asking: CurrentAsking,
  dependencies: Dependencies,
): Promise<TurnAccess> {
  const { beginning } = asking;
  const access = sharedAccess(asking, dependencies);
  if (beginning.ranked !== undefined || access.offered().ranked === undefined) {
    return access;
  }
  const { view } = access.offered();
  return (await view.understand(beginning.message))
    ? buildAccess(asking, dependencies, view)
    : access;
}

/** Everything that access depends on. */
type Basis = [Contents, SkillSnapshot, string, number, OwnSkills];
type OwnSkills = ReturnType<SkillStore['getPersonal']>;

/** The personal skills that the caller sees; the same list for everyone without any. */
function getOwnSkills(caller: Caller, { skills }: Dependencies): OwnSkills {
  return skills.getPersonal(getSkillOwner(caller), caller.groups);
}

type CurrentAsking = Omit<Asking, 'callerNow'> & { caller: Caller };

/** Cached for all callers with the same permissions and personal skills, so that it is not computed in each turn. */
function sharedAccess(asking: CurrentAsking, dependencies: Dependencies): TurnAccess {
  const { caller, appId, modelId, skillsOff } = asking;
  const contents = dependencies.contents();
  const { snapshot } = dependencies.skills;
  const own = getOwnSkills(caller, dependencies);
  let current = shared.get(contents);
  if (current?.snapshot !== snapshot) {
    current = { snapshot, byOwnSkills: new WeakMap() };
    shared.set(contents, current);
  }
  const byPermissions = current.byOwnSkills.get(own) ?? new Map<string, TurnAccess>();
  current.byOwnSkills.set(own, byPermissions);
  const key = JSON.stringify([
    ...[
      caller.anonymous,
      grants(caller.permissions.adminAccess, 'models'),
      caller.groups,
      appId,
      modelId,
    ],
    ...[[...skillsOff], dependencies.models.revision()],
  ]);
  const known = byPermissions.get(key);
  if (known && !known.offered().ranked) {
    return known;
  }
  const access = buildAccess(asking, dependencies, known?.offered().view);
  if (!known && byPermissions.size < maxShared) {
    byPermissions.set(key, access);
  }
  return access;
}

const maxShared = 100;
const shared = new WeakMap<
  Contents,
  { snapshot: SkillSnapshot; byOwnSkills: WeakMap<OwnSkills, Map<string, TurnAccess>> }
>();

function buildAccess(
  { caller, appId, modelId, skillsOff: off, beginning }: CurrentAsking,
  { contents, skills, models, ranking }: Dependencies,
  sameView?: SkillView,
): TurnAccess {
  const state = contents();
  const config = state.skills;
  const app = findApp(appId, caller, state);
  const model = chooseModel(models.usable(caller.permissions, app), modelId, undefined);
  const usesTools = models.takesTools(model);
  const computeOffer = (): OfferedSkills => {
    const grant = caller.permissions.skills;
    const view =
      sameView ??
      createSkillView({
        store: skills,
        ranking,
        config,
        grant,
        groups: caller.groups,
        owner: getSkillOwner(caller),
        apps: [app],
        off,
      });
    let ranked: readonly string[] | undefined;
    const { catalogue, listing, tools } = presentSkills({
      view,
      app,
      config,
      usesTools,
      room: allocateWindow(model.config, app).request,
      ranked: () => {
        ranked = rankForConversation(view, app, beginning);
        return ranked;
      },
    });
    const isRanked = catalogue.trimmed === 'ranked';
    const listed = new Set(catalogue.shown);
    const isUnlisted = (skill: string) => isRanked && listed.size > 0 && !listed.has(skill);
    return {
      view,
      catalogue: catalogue.text,
      isRanked,
      ranked,
      isUnlisted,
      listing,
      off,
      ...describeTools(tools.map(ownTool)),
    };
  };
  let offered: OfferedSkills | undefined;
  return {
    app,
    model,
    ask: models.open(model),
    router: () => {
      const chosen = findRouter(config, models) ?? model;
      return { model: chosen, ask: models.open(chosen) };
    },
    config,
    usesTools,
    refuseTools: () => models.noteRefusedTools(model),
    refuseTool: (name) => models.noteRefusedTool(model, name),
    noteTokens: (tokens) => models.noteTokens(model, tokens),
    toolGrant: caller.permissions.tools,
    groups: caller.groups,
    isAdmin: grants(caller.permissions.adminAccess, 'models'),
    offered: () => {
      offered ??= computeOffer();
      return offered;
    },
  };
}

/** Tools as a model is offered them. */
export function describeTools(
  offered: readonly OfferedTool[],
): Pick<OfferedSkills, 'tools' | 'runnable'> {
  return {
    tools: offered.map(toModelTool),
    runnable: new Map(offered.map((tool) => [tool.name, tool])),
  };
}

/**
 * Whether a skill router chooses: the model has no tools or the app asks for it, and the user picked no skills.
 *
 * @param hadTools whether the turn began with tools; what the app provides without them was not included then
 */
export function isRouted(
  picked: readonly string[],
  { app, usesTools }: TurnAccess,
  hadTools = false,
): boolean {
  const { router, autoActivate } = app.skillSettings;
  const isGiven = autoActivate && !hadTools;
  const isWanted = router === 'always' || (router === 'auto' && !usesTools && !isGiven);
  return isWanted && picked.length === 0;
}

/** Whether models without tools get skills automatically: routed ones, or all that fit. */
export function bringsSkills({ skillSettings }: AppConfig): boolean {
  return skillSettings.router !== 'off' || skillSettings.autoActivate;
}

/** The model named in the settings, if it can be used. */
function findRouter({ settings }: SkillsConfig, models: ModelList): ListedModel | undefined {
  return settings.routerModel === undefined
    ? undefined
    : models
        .all()
        .find(({ config, needs }) => config.id === settings.routerModel && needs === undefined);
}
