import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import {
  findApp,
  type ListedModel,
  type ModelList,
  type TurnDependencies,
} from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { Caller } from '../../identity/index.ts';
import {
  createSkillView,
  getSkillSettings,
  type SkillIndex,
  type SkillSnapshot,
  type SkillStore,
  type StoredSkill,
} from '../../skills/index.ts';
import { findEntry } from '../skills/skill-entries.ts';

export interface TrialTools {
  contents: () => Contents;
  skills: SkillStore;
  index: SkillIndex;
  models: ModelList;
}

export interface TrialRequest {
  /** Name of the skill under test. */
  name: string;
  caller: Caller;
  app?: string | undefined;
  /** Ids of models. */
  models: readonly string[];
  /** Overrides the skill's description in this test. */
  description?: string | undefined;
  /** Tested in place of the published version, which may not exist. */
  draft?: StoredSkill | undefined;
}

/** Dependencies for the turns of a test, in the current state. */
export type TrialWorld = Omit<TurnDependencies, 'conversations'>;

/** A skill among all others, tested by a caller with access to everything. */
export interface Trial {
  skill: string;
  app: string;
  caller: Caller;
  /** The version that the caller gets instead of the published one; undefined for the published one. */
  fixedVersion: number | undefined;
  /** The same objects while nothing has changed; undefined if the skill has been deleted. */
  world(): TrialWorld | undefined;
}

/** An app without a system prompt, with the catalogue of all skills. */
const bareApp = appConfigSchema.parse({ id: 'trial', name: '', skills: ['*'] });

/** Sees all skills, and may do nothing else. */
export function createTestCaller(name: string): Caller {
  const none = new Set<string>();
  return {
    id: 'trigger-schedule',
    name,
    groups: [],
    anonymous: false,
    mayUse: true,
    permissions: {
      apps: none,
      models: none,
      prompts: none,
      skills: 'all',
      tools: none,
      personalSkills: 'none',
      adminAccess: none,
    },
  };
}

/**
 * Checks that a skill, an app and models can be tested together. Throws a problem with the reason.
 * A disabled skill is tested as if it were enabled.
 */
export async function openTrial(request: TrialRequest, tools: TrialTools): Promise<Trial> {
  const { skills, index, models, contents } = tools;
  const { description, draft } = request;
  const { name: skill, stored } = draft
    ? { name: draft.id, stored: draft }
    : findEntry(skills.snapshot, request.name);
  // A skill that is not indexed yet would have no rank.
  await index.settled();
  const isOther = description !== undefined || draft !== undefined;
  const ranking = isOther && stored ? await index.reworded(stored, description) : index.ranking;
  const permissions = { ...request.caller.permissions, ...everything };
  const caller = { ...request.caller, permissions };
  const app = request.app ?? bareApp.id;
  let known: { basis: [Contents, SkillSnapshot]; world: TrialWorld } | undefined;
  const world = () => {
    const basis: [Contents, SkillSnapshot] = [contents(), skills.snapshot];
    if (!known?.basis.every((part, at) => part === basis[at])) {
      const [state, snapshot] = basis;
      const changed = contentsFor(state, { ...request, name: skill });
      // A separate snapshot object, because offers are cached per snapshot.
      const store = { ...skills, snapshot: draft ? withDraft(snapshot, draft) : { ...snapshot } };
      known = { basis, world: { contents: () => changed, skills: store, models, ranking } };
    }
    return draft || skills.snapshot.skills.has(skill) ? known.world : undefined;
  };
  const trial = { skill, app, caller, world };
  return { ...trial, fixedVersion: checkTrial(trial, request, tools) };
}

/** The skills with a draft in place of all versions of its skill. */
function withDraft(snapshot: SkillSnapshot, draft: StoredSkill): SkillSnapshot {
  const versions = [...snapshot.versions].filter(([id]) => id !== draft.id);
  return {
    ...snapshot,
    skills: new Map(snapshot.skills).set(draft.id, draft),
    versions: new Map(versions),
  };
}

const everything = { apps: 'all', models: 'all', skills: 'all' } as const;

function contentsFor(contents: Contents, { name, app, description }: TrialRequest): Contents {
  const { skills } = contents;
  const entry = getSkillSettings(name, skills);
  const overrides = { ...entry?.overrides, ...(description === undefined ? {} : { description }) };
  const tried = { ...entry, enabled: true, overrides };
  return {
    ...contents,
    apps: app === undefined ? new Map([[bareApp.id, bareApp]]) : contents.apps,
    skills: { ...skills, skills: { ...skills.skills, [name]: tried } },
  };
}

/** Returns the version of the skill, if it is pinned or in preview. */
function checkTrial(
  { skill: name, app: appId, caller, world }: Omit<Trial, 'fixedVersion'>,
  request: TrialRequest,
  { models }: TrialTools,
): number | undefined {
  const { contents, skills, ranking } = world() ?? {};
  if (!contents || !skills || !ranking) {
    throw problem('conflict', `Skill "${name}" cannot be read. Fix its SKILL.md first.`);
  }
  const app = findApp(appId, caller, contents());
  const config = contents().skills;
  const view = createSkillView({
    store: skills,
    ranking,
    config,
    grant: 'all',
    groups: caller.groups,
    apps: [app],
  });
  const skill = view.find(name);
  const where = request.app === undefined ? '' : ` in app '${appId}'`;
  if (!skill) {
    throw problem(
      'conflict',
      `Skill "${name}" cannot be offered${where}. ${where ? 'Choose another app, or none.' : 'Give it a description first.'}`,
    );
  }
  if (!skill.modelInvocable) {
    throw problem(
      'conflict',
      `Skill "${name}" cannot be activated by models, so there is nothing to test.`,
    );
  }
  if (app.skillSettings.autoInject?.includes(name)) {
    throw problem(
      'conflict',
      `App '${appId}' always uses skill "${name}": no model chooses it there. Choose another app, or none.`,
    );
  }
  const usable = models.usable(caller.permissions, app);
  checkModels(request.models, usable, where);
  const given = usable.filter(({ config }) => request.models.includes(config.id));
  if (app.skillSettings.autoActivate && given.some((each) => !each.config.supportsTools)) {
    throw problem(
      'conflict',
      `App '${appId}' gives all its skills to models without tools: they choose none. Choose another app, or other models.`,
    );
  }
  return skill.fixedVersion;
}

/** Maximum number of models in the message. */
const maxNamed = 30;

function choice(usable: readonly string[]): string {
  return usable.length === 0
    ? 'Switch a model on and set its key first.'
    : `Those that can be used: ${usable.slice(0, maxNamed).join(', ')}${usable.length > maxNamed ? ', …' : ''}.`;
}

function checkModels(
  wanted: readonly string[],
  usable: readonly ListedModel[],
  where: string,
): void {
  const known = new Set(usable.map(({ config }) => config.id));
  const wrong = wanted.filter((id) => !known.has(id));
  if (wrong.length > 0) {
    const names = wrong.map((id) => `'${id}'`).join(', ');
    throw problem('invalid-request', `Not to be used${where}: ${names}. ${choice([...known])}`, {
      issues: wrong.map((id) => ({
        path: `models.${wanted.indexOf(id)}`,
        code: 'unknown',
        message: `There is no usable model '${id}'${where}.`,
      })),
    });
  }
}
