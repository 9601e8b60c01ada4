import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { SkillOutcome, Trace, traceMissing } from '@knowhow/shared/chat/traces';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { type Problem, problem } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import { grants } from '../access/permissions.ts';
import { visibilityRule } from '../admin/skill-access.ts';
import { findEntry } from '../admin/skill-entries.ts';
import { visibleApps } from '../chat/find-app.ts';
import type { Contents } from '../content/contents.ts';
import { messageOf } from '../conversations/conversation-rows.ts';
import { ownerOf } from '../conversations/owner-of.ts';
import { counted } from '../lib/counted.ts';
import { daysAgo } from '../lib/days-ago.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { createSkillView, spellingsOf } from '../skills/skill-view.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import type { Database } from '../storage/open-database.ts';
import { explainSkill } from './explain-skill.ts';
import { type Hiding, hidingOf } from './hide-skills.ts';
import { presentTrace } from './present-trace.ts';
import type { WholeTrace } from './stored-trace.ts';
import type { Traces } from './traces.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
  database: Database;
  audit: AuditLog;
  traces: Traces;
}

interface Question {
  caller: Caller;
  /** Of the answer. */
  messageId: string;
}

/**
 * What the model saw for an answer. Throws `not-found`: in the same words for an answer that does not exist
 * and for one whose trace the caller may not read; with an issue of its own where there is just no trace.
 */
export async function findTrace(question: Question, dependencies: Dependencies): Promise<Trace> {
  const found = await readWhole(question, dependencies);
  await noteReading(found, question, dependencies);
  return presentTrace(found.whole, found.hiding);
}

/** Why a skill was used for an answer, or was not. Throws as `findTrace` does. */
export async function findOutcome(
  { name, ...question }: Question & { name: string },
  dependencies: Dependencies,
): Promise<SkillOutcome> {
  const found = await readWhole(question, dependencies);
  await noteReading(found, question, dependencies);
  const { whole, answer, hiding, isAdmin } = found;
  const outcome = explainSkill(whole, {
    name,
    activated: answer.activations,
    hiddenBy: (hidden) => (isAdmin ? hidingRule(hidden, whole, dependencies) : undefined),
  });
  if (isAdmin) {
    return outcome;
  }
  // Whether it was there once is not for who may not see it now.
  const isHidden = spellingsOf(name).some((each) => hiding.hidden.has(each));
  return isHidden || outcome.outcome === 'not-visible'
    ? { outcome: 'not-visible' }
    : withoutHiddenQueries(outcome, hiding);
}

/** What was searched for may name a skill that can no longer be seen. */
function withoutHiddenQueries(
  { searches, ...outcome }: SkillOutcome,
  hiding: Hiding,
): SkillOutcome {
  const shown = searches?.map((search) =>
    hiding.isNamedIn(search.query) ? { ...search, query: '' } : search,
  );
  return { ...outcome, ...(shown ? { searches: shown } : {}) };
}

interface Found extends FoundAnswer {
  whole: WholeTrace;
  hiding: Hiding;
  isAdmin: boolean;
}

/** Conversations belong to their users: whoever reads in those of another one leaves an entry. */
async function noteReading(
  { owner, appId, isAdmin }: Found,
  { caller, messageId }: Question,
  { audit, database }: Dependencies,
): Promise<void> {
  if (!isAdmin || owner === caller.id) {
    return;
  }
  const user = await database
    .selectFrom('users')
    .select('username')
    .where('id', '=', owner)
    .executeTakeFirst();
  const what = { kind: 'user' as const, target: user?.username ?? 'anonymous' };
  const after = { answer: messageId, app: appId };
  await audit.record({ by: caller, action: 'trace-read', ...what, after });
}

async function readWhole(
  { caller, messageId }: Question,
  { contents, skills, database, traces }: Dependencies,
): Promise<Found> {
  const found = await answerOf(database, messageId);
  const isAdmin = grants(caller.permissions.adminAccess, 'traces');
  const app = found && appFor(caller, found, contents());
  if (!found || !(isAdmin || app)) {
    throw notFound();
  }
  const whole = await traces.read(messageId);
  if (!whole) {
    throw missing(found.answer, traces.days());
  }
  const { status } = found.answer;
  const isOver = whole.trace.status === 'running' && status !== 'running';
  const trace = isOver ? { ...whole.trace, status } : whole.trace;
  return {
    ...found,
    whole: { ...whole, trace },
    hiding: isAdmin || !app ? nothingHidden : hidingFor(caller, app, { whole, contents, skills }),
    isAdmin,
  };
}

const nothingHidden = hidingOf(new Set());

function notFound(): Problem {
  return problem('not-found', 'There is no such answer.');
}

interface FoundAnswer {
  answer: AssistantMessage;
  owner: string;
  appId: string;
}

async function answerOf(database: Database, id: string): Promise<FoundAnswer | undefined> {
  const row = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('messages')
    .select(['conversations.owner', 'conversations.app_id'])
    .where('messages.id', '=', id)
    .where('messages.role', '=', 'assistant')
    // Nobody's is one that is being removed.
    .where('conversations.owner', '<>', '')
    .executeTakeFirst();
  const answer = row && messageOf(row);
  return row && answer?.role === 'assistant'
    ? { answer, owner: await ownerOf(database, row), appId: row.app_id }
    : undefined;
}

/** The app of an answer, where its owner asks and the app shows traces. */
function appFor(
  caller: Caller,
  { owner, appId }: FoundAnswer,
  contents: Contents,
): AppConfig | undefined {
  const app = visibleApps(caller, contents).find(({ id }) => id === appId);
  return owner === caller.id && app?.showTrace === true ? app : undefined;
}

function missing({ createdAt }: AssistantMessage, days: number): Problem {
  const isOld = Date.parse(createdAt) < daysAgo(days);
  const code: (typeof traceMissing)[number] =
    days === 0 ? 'trace-off' : isOld ? 'trace-expired' : 'trace-none';
  const message = {
    'trace-off': 'What the model saw is not recorded on this server.',
    'trace-expired': `What the model saw is kept for ${counted(days, 'day')}, and this answer is older.`,
    'trace-none': 'What the model saw was not recorded for this answer.',
  }[code];
  return problem('not-found', message, { issues: [{ path: 'id', code, message }] });
}

interface Basis {
  whole: WholeTrace;
  contents: () => Contents;
  skills: SkillStore;
}

/** Rights as they are now decide what a trace shows of skills, not those of then. */
function hidingFor(caller: Caller, app: AppConfig, { whole, contents, skills }: Basis): Hiding {
  const { find } = createSkillView({
    store: skills,
    config: contents().skills,
    grant: caller.permissions.skills,
    apps: [app],
  });
  const mentioned = new Set(
    [...whole.visible.values()].flatMap(({ ids }) => ids).concat(mentionedIn(whole)),
  );
  return hidingOf(new Set([...mentioned].filter((name) => !find(name))));
}

/** Ids of all skills that a trace mentions beside those that could be seen. */
function mentionedIn({ trace, settings }: WholeTrace): string[] {
  return [
    ...[...settings.values()].flatMap(({ off }) => off),
    ...trace.named,
    ...trace.rounds.flatMap(({ active, added, calls, candidates = [] }) => [
      ...active,
      ...candidates,
      ...[...added, ...calls].flatMap(({ skills = [] }) => skills),
    ]),
  ];
}

/** Which rule hides a skill from who was in these groups, as things are now. */
function hidingRule(
  name: string,
  { trace }: WholeTrace,
  { contents, skills }: Dependencies,
): string | undefined {
  const state = contents();
  const app = state.apps.get(trace.app);
  const entry = entryNamed(name, skills);
  if (!entry) {
    return 'no-such-skill';
  }
  if (!app) {
    return 'app-off';
  }
  const { sees, rule } = visibilityRule({ entry, contents: state, groups: trace.groups, app });
  return sees ? 'visible-now' : rule;
}

function entryNamed(name: string, { snapshot }: SkillStore) {
  try {
    const found = findEntry(snapshot, name);
    return found.name === name ? found : undefined;
  } catch {
    return undefined;
  }
}
