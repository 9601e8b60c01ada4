import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { TriggerSchedule } from '@knowhow/shared/skills/trigger-schedule';
import { daysAgo } from '../../../../platform/lib/days-ago.ts';
import { isEvalsFile } from '../../../skills/index.ts';
import { entriesNamed, getSkillStatus } from '../../skills/skill-entries.ts';
import { chosenPrompts, readTriggerPrompts } from '../trigger-prompts.ts';
import { usableModels } from './schedule-issues.ts';
import { type ScheduleTools, testSkill } from './test-skill.ts';
import type { StoredRound, TriggerRounds } from './trigger-rounds.ts';

export type RoundTools = ScheduleTools & { triggerRounds: TriggerRounds };

/** Attempts in which a model does not answer, after which a round ends. */
const maxFailures = 5;

/**
 * Continues the round of scheduled trigger tests that is open, or begins one that is due. Does nothing if the schedule
 * is off. After a kill, the skill that was being tested is tested again.
 */
export async function runDueTests(tools: RoundTools, signal: AbortSignal): Promise<void> {
  const round = getSettings(tools).enabled ? await openRound(tools) : undefined;
  if (!round) {
    return;
  }
  const queue = await listPending(tools, round, signal);
  const down = new Map<string, string>();
  round.remaining = queue.length;
  for (const skill of queue) {
    const { enabled, maxTokens } = getSettings(tools);
    if (signal.aborted || !enabled) {
      return;
    }
    await testPending({ ...tools, maxTokens }, { round, skill, down }, signal);
    if (round.tokens >= maxTokens && round.remaining > 0) {
      round.isCapped = true;
      break;
    }
  }
  if (!signal.aborted) {
    await tools.triggerRounds.save(endAttempt(round, down));
  }
}

interface Attempt {
  round: StoredRound;
  skill: PendingSkill;
  /** Models that did not answer in this attempt, and why. */
  down: Map<string, string>;
}

/** Tests a skill with the models that are left, and stores the progress of the round. */
async function testPending(
  { maxTokens, ...tools }: RoundTools & { maxTokens: number },
  { round, skill: { name, tested }, down }: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const wanted = pendingModels(tools, round).filter((model) => !tested.has(model));
  const models = wanted.filter((model) => !down.has(model));
  if (models.length === 0 || !isTestable(tools, name)) {
    return;
  }
  const budget = maxTokens - round.tokens;
  const result = await testSkill({ skill: name, models, maxTokens: budget }, tools, signal);
  // A skill that exceeds the limit of a round alone is last in the next one, not first again.
  const isTooLarge = budget === maxTokens && result.tokens >= budget;
  const done = isTooLarge ? models : result.done;
  for (const [model, message] of result.down) {
    down.set(model, message);
  }
  round.tokens += result.tokens;
  if (wanted.every((model) => done.includes(model))) {
    round.tested += 1;
    round.remaining -= 1;
  }
  await tools.triggerRounds.save(round, { skill: name, models: done });
}

function getSettings({ contents }: RoundTools): TriggerSchedule {
  return contents().skills.settings.triggerTests;
}

/** The round after an attempt. It is tried again a limited number of times if a model did not answer. */
function endAttempt(round: StoredRound, down: ReadonlyMap<string, string>): StoredRound {
  const { problem: _, ...known } = round;
  const at = new Date().toISOString();
  const [failed] = down;
  const failures = failed ? round.failures + 1 : round.failures;
  const isEnded = !failed || round.isCapped || failures >= maxFailures;
  return {
    ...known,
    failures,
    // Skills that were switched off meanwhile are not tested.
    remaining: failed || round.isCapped ? round.remaining : 0,
    ...(isEnded ? { endedAt: at } : {}),
    ...(failed ? { problem: { model: failed[0], message: failed[1], at } } : {}),
  };
}

/** The open round, or a new one that is due; undefined if none is, or no model can be used. */
async function openRound(tools: RoundTools): Promise<StoredRound | undefined> {
  const { triggerRounds: rounds } = tools;
  const { days, newModels } = getSettings(tools);
  const models = usableIds(tools);
  const known = await rounds.list();
  const regular = known.find(({ kind }) => kind === 'regular');
  if (models.length === 0) {
    return undefined;
  }
  if (!regular || Date.parse(regular.beganAt) <= daysAgo(days)) {
    return rounds.begin({ kind: 'regular', models });
  }
  const [last] = known;
  if (last && last.endedAt === undefined) {
    return last;
  }
  const used = new Set(known.flatMap((round) => round.models));
  const unused = models.filter((model) => !used.has(model));
  return newModels && unused.length > 0
    ? rounds.begin({ kind: 'new-models', models: unused })
    : undefined;
}

/** Ids in the order of the setting. */
function usableIds({ contents, models }: RoundTools): string[] {
  const { settings } = contents().skills;
  const usable = new Set(usableModels(settings, models).map(({ config }) => config.id));
  return [...new Set(settings.triggerTests.models)].filter((id) => usable.has(id));
}

/** The models of a round that are still configured and can be used. */
function pendingModels(tools: RoundTools, round: StoredRound): string[] {
  const usable = new Set(usableIds(tools));
  return round.models.filter((model) => usable.has(model));
}

interface PendingSkill {
  name: string;
  /** Models with which it was tested in this round. */
  tested: ReadonlySet<string>;
}

/** The skills to test in a round, those first whose last scheduled test is the oldest. */
async function listPending(
  tools: RoundTools,
  round: StoredRound,
  signal: AbortSignal,
): Promise<PendingSkill[]> {
  const models = pendingModels(tools, round);
  const tested = await tools.triggerRounds.tested();
  const found: (PendingSkill & { last: string })[] = [];
  for (const name of [...tools.skills.snapshot.skills.keys()].toSorted()) {
    await yieldToEventLoop();
    if (signal.aborted) {
      return [];
    }
    const rounds = models.map((model) => tested.get(name)?.get(model) ?? '');
    const own = models.filter((_, at) => rounds[at] === round.id);
    if (own.length < models.length && (await hasPrompts(tools, name))) {
      found.push({ name, tested: new Set(own), last: rounds.toSorted()[0] ?? '' });
    }
  }
  // Equal ones stay in the order of their names.
  found.sort((one, other) => (one.last < other.last ? -1 : Number(one.last > other.last)));
  // A skill with which a model always fails does not hold up the others.
  const first = found.length > 0 ? round.failures % found.length : 0;
  return [...found.slice(first), ...found.slice(0, first)];
}

/** Whether models may activate the skill: it is published, switched on and not blocked. */
function isTestable({ skills, contents }: RoundTools, name: string): boolean {
  const [entry] = entriesNamed(skills.snapshot, name);
  return (
    entry?.skill.modelInvocable === true &&
    !entry.source.isRemote &&
    getSkillStatus(entry, contents().skills) === 'on'
  );
}

async function hasPrompts(tools: RoundTools, name: string): Promise<boolean> {
  const { skills } = tools;
  const stored = skills.snapshot.skills.get(name);
  if (!(stored && isTestable(tools, name))) {
    return false;
  }
  try {
    const files = await skills.listFiles(stored);
    return (
      files.some(({ path }) => isEvalsFile(path)) &&
      chosenPrompts(await readTriggerPrompts(skills, stored)).length > 0
    );
  } catch (error) {
    // Deleted or changed meanwhile: there is nothing to test.
    tools.log.info({ error, skill: name }, 'the prompts of a skill could not be read');
    return false;
  }
}
