import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Caller } from '../access/caller.ts';
import { type Grant, grants } from '../access/permissions.ts';
import type { Contents } from '../content/contents.ts';
import type { AskModel, ModelRequest } from '../models/model.ts';
import type { SkillSnapshot } from '../skill-store/skill-snapshot.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { type ConversationText, rankForConversation } from '../skills/rank-for-conversation.ts';
import type { SkillRanking } from '../skills/skill-ranking.ts';
import { createSkillView, type SkillView } from '../skills/skill-view.ts';
import type { OfferedTool } from '../tools/toolbox.ts';
import type { TranslatableTool } from '../tools/translate-tools.ts';
import { findApp } from './find-app.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import { type Listing, presentSkills } from './present-skills.ts';
import { chooseModel } from './turn-checks.ts';
import { windowOf } from './window.ts';

/** What a turn may use at one moment. Immutable. */
export interface TurnAccess {
  app: AppConfig;
  model: ListedModel;
  ask: AskModel;
  /** The model that chooses skills in a request of its own. */
  router: () => { model: ListedModel; ask: AskModel };
  config: SkillsConfig;
  usesTools: boolean;
  /** Of a prompt whose places were filled: as it was, and what was put in by name. */
  filled?: { template: string; values: Readonly<Record<string, string>> };
  /** To be called when the model's server has refused tools; the access of the next round has none. */
  refuseTools(): void;
  /** To be called when the model's server has refused the schema of one tool. */
  refuseTool(name: string): void;
  /** To be called with what the model's server counted of a request, and what was sent by our estimate. */
  noteTokens(tokens: { estimated: number; counted: number }): void;
  /** What a program wants the answer to be. */
  answerSchema?: ModelRequest['answerSchema'];
  /** The tools of sources that the caller's groups grant. */
  toolGrant: Grant;
  /** Ids of the caller's groups. */
  groups: readonly string[];
  /** May read what a provider said of a failure: looks after models. */
  isAdmin: boolean;
  /** Worked out when it is first asked for: not where it is only asked whether the turn may go on. */
  offered(): OfferedSkills;
}

/** The skills to be seen, and how they are described to the model. */
interface OfferedSkills {
  view: SkillView;
  /** The `<available_skills>` block; may be empty. */
  catalogue: string;
  /** Whether it goes by how the conversation began: there are too many skills for it. */
  isRanked: boolean;
  /** Ids of the skills that come first in it, where it does and lists some. */
  ranked: readonly string[] | undefined;
  /** Whether a skill is not in a ranked catalogue, so that a message that brings it up is to name it. */
  isUnlisted(skill: string): boolean;
  tools: TranslatableTool[];
  /** Those of them that sources bring, by the name that models call. */
  sourceTools?: ReadonlyMap<string, OfferedTool>;
  /** The tools that a running tool may call: every permitted tool of a source, offered or not. */
  callableTools?: () => ReadonlyMap<string, OfferedTool>;
  listing: Listing;
  /** Names of skills that are not to be used in the conversation. */
  off: ReadonlySet<string>;
}

/**
 * Works out what a turn may use now. The same object as long as nothing has changed, so that the next
 * request begins with the bytes of the one before. Throws the problem that ends the turn.
 */
export type AskAccess = () => Promise<TurnAccess>;

interface Asking {
  /** Who asks, as things are now. Throws when they may not be here any more. */
  callerNow: () => Promise<Caller>;
  appId: string;
  modelId: string;
  /** Names of skills that are not to be used in the conversation. */
  skillsOff: ReadonlySet<string>;
  /** What a catalogue that is too large is ranked by. */
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
    ];
    if (known?.basis.every((part, index) => part === basis[index])) {
      return known.access;
    }
    const access = await understoodAccess({ ...asking, caller }, dependencies);
    known = { basis, access };
    return access;
  };
}

/** With an embedder, the first message is understood before the skills are ranked by it. */
async function understoodAccess(
  asking: AskingNow,
  dependencies: Dependencies,
): Promise<TurnAccess> {
  const { beginning } = asking;
  const access = sharedAccess(asking, dependencies);
  if (beginning.ranked !== undefined || access.offered().ranked === undefined) {
    return access;
  }
  const { view } = access.offered();
  return (await view.understand(beginning.message)) ? accessOf(asking, dependencies, view) : access;
}

/** All that access follows from. */
type Basis = [Contents, SkillSnapshot, string, number];

type AskingNow = Omit<Asking, 'callerNow'> & { caller: Caller };

/** The same for all who may do the same: what is offered is worked out once for them, not in each turn. */
function sharedAccess(asking: AskingNow, dependencies: Dependencies): TurnAccess {
  const { caller, appId, modelId, skillsOff } = asking;
  const contents = dependencies.contents();
  const { snapshot } = dependencies.skills;
  let kept = shared.get(contents);
  if (kept?.snapshot !== snapshot) {
    kept = { snapshot, byRights: new Map() };
    shared.set(contents, kept);
  }
  const rights = JSON.stringify([
    ...[
      caller.anonymous,
      grants(caller.permissions.adminAccess, 'models'),
      caller.groups,
      appId,
      modelId,
    ],
    ...[[...skillsOff], dependencies.models.revision()],
  ]);
  const known = kept.byRights.get(rights);
  if (known && !known.offered().ranked) {
    return known;
  }
  const access = accessOf(asking, dependencies, known?.offered().view);
  if (!known && kept.byRights.size < mostShared) {
    kept.byRights.set(rights, access);
  }
  return access;
}

const mostShared = 100;
const shared = new WeakMap<
  Contents,
  { snapshot: SkillSnapshot; byRights: Map<string, TurnAccess> }
>();

function accessOf(
  { caller, appId, modelId, skillsOff: off, beginning }: AskingNow,
  { contents, skills, models, ranking }: Dependencies,
  sameView?: SkillView,
): TurnAccess {
  const state = contents();
  const config = state.skills;
  const app = findApp(appId, caller, state);
  const model = chooseModel(models.usable(caller.permissions, app), modelId, undefined);
  const usesTools = models.takesTools(model);
  const offer = (): OfferedSkills => {
    const grant = caller.permissions.skills;
    const view =
      sameView ?? createSkillView({ store: skills, ranking, config, grant, apps: [app], off });
    let ranked: readonly string[] | undefined;
    const { catalogue, listing, tools } = presentSkills({
      ...{ view, app, config, usesTools },
      room: windowOf(model.config, app).request,
      ranked: () => {
        ranked = rankForConversation(view, app, beginning);
        return ranked;
      },
    });
    const isRanked = catalogue.trimmed === 'ranked';
    const listed = new Set(catalogue.shown);
    const isUnlisted = (skill: string) => isRanked && listed.size > 0 && !listed.has(skill);
    return { view, catalogue: catalogue.text, isRanked, ranked, isUnlisted, tools, listing, off };
  };
  let offered: OfferedSkills | undefined;
  return {
    app,
    model,
    ask: models.open(model),
    router: () => {
      const chosen = routerOf(config, models) ?? model;
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
      offered ??= offer();
      return offered;
    },
  };
}

/**
 * Whether the model cannot pick skills itself, or the app wants it so. Who has picked some has chosen.
 *
 * @param hadTools whether the turn began with tools: what the app then gives without them has not come
 */
export function isRouted(
  picked: readonly string[],
  { app, usesTools }: TurnAccess,
  hadTools = false,
): boolean {
  const { router = 'auto', autoActivate } = app.skillSettings ?? {};
  const isGiven = autoActivate && !hadTools;
  const isWanted = router === 'always' || (router === 'auto' && !usesTools && !isGiven);
  return isWanted && picked.length === 0;
}

/** Whether models without tools get skills unasked: those chosen for a message, or all that fit. */
export function bringsSkills({ skillSettings = {} }: AppConfig): boolean {
  return skillSettings.router !== 'off' || skillSettings.autoActivate === true;
}

/** The one that the settings name, if it can be used. */
function routerOf({ settings }: SkillsConfig, models: ModelList): ListedModel | undefined {
  return settings?.routerModel === undefined
    ? undefined
    : models
        .all()
        .find(({ config, needs }) => config.id === settings.routerModel && needs === undefined);
}
