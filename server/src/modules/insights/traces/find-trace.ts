import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { SkillOutcome, Trace, traceMissing } from '@knowhow/shared/chat/traces';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { type Problem, problem } from '@knowhow/shared/problem';
import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import { formatCount } from '../../../platform/lib/format-count.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { findEntry, visibilityRule } from '../../admin/index.ts';
import { visibleApps } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import { findOwner, toMessage } from '../../conversations/index.ts';
import { type Caller, getSkillOwner, grants } from '../../identity/index.ts';
import { createSkillView, nameSpellings, type SkillStore } from '../../skills/index.ts';
import { explainSkill } from './explain-skill.ts';
import { createHiding, type Hiding } from './hide-skills.ts';
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
  /** ID of the answer. */
  messageId: string;
}

/**
 * Loads the trace of an answer. Throws `not-found`, with the same message for a missing answer and for one whose
 * trace the caller may not read. If only the trace is missing, an issue explains why.
 */
export async function findTrace(question: Question, dependencies: Dependencies): Promise<Trace> {
  const found = await readWhole(question, dependencies);
  await auditReading(found, question, dependencies);
  return presentTrace(found.whole, found.hiding);
}

/** Explains why a skill was used for an answer or not. Throws as `findTrace` does. */
export async function findOutcome(
  { name, ...question }: Question & { name: string },
  dependencies: Dependencies,
): Promise<SkillOutcome> {
  const found = await readWhole(question, dependencies);
  await auditReading(found, question, dependencies);
  const { whole, answer, hiding, isAdmin } = found;
  const outcome = explainSkill(whole, {
    name,
    activated: answer.activations,
    hiddenBy: (hidden) => (isAdmin ? hidingRule(hidden, whole, dependencies) : undefined),
  });
  // Readers who cannot see the skill now must not learn whether they could earlier.
  const isHidden = nameSpellings(name).some((each) => hiding.hidden.has(each));
  if (isAdmin && !isHidden) {
    return withoutHiddenQueries(outcome, hiding);
  }
  return isHidden || outcome.outcome === 'not-visible'
    ? { outcome: 'not-visible' }
    : withoutHiddenQueries(outcome, hiding);
}

/** Search queries may name a skill that is no longer visible. */
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

/** Conversations are private: an administrator who reads another user's trace leaves an audit entry. */
async function auditReading(
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
  const found = await findAnswer(database, messageId);
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
  const hasEnded = whole.trace.status === 'running' && status !== 'running';
  const trace = hasEnded ? { ...whole.trace, status } : whole.trace;
  return {
    ...found,
    whole: { ...whole, trace },
    hiding:
      isAdmin || !app
        ? hidingPersonal(caller, whole, skills)
        : hidingFor(caller, app, { whole, contents, skills }),
    isAdmin,
  };
}

function notFound(): Problem {
  return problem('not-found', 'There is no such answer.');
}

interface FoundAnswer {
  answer: AssistantMessage;
  owner: string;
  appId: string;
}

async function findAnswer(database: Database, id: string): Promise<FoundAnswer | undefined> {
  const row = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('messages')
    .select(['conversations.owner', 'conversations.app_id'])
    .where('messages.id', '=', id)
    .where('messages.role', '=', 'assistant')
    // Excludes conversations that are being removed.
    .where('conversations.owner', '<>', '')
    .executeTakeFirst();
  const answer = row && toMessage(row);
  return row && answer?.role === 'assistant'
    ? { answer, owner: await findOwner(database, row), appId: row.app_id }
    : undefined;
}

/** The app of an answer, if its owner asks and the app shows traces. */
function appFor(
  caller: Caller,
  { owner, appId }: FoundAnswer,
  contents: Contents,
): AppConfig | undefined {
  const app = visibleApps(caller, contents).find(({ id }) => id === appId);
  return owner === caller.id && app?.showTrace ? app : undefined;
}

function missing({ createdAt }: AssistantMessage, days: number): Problem {
  const isOld = Date.parse(createdAt) < daysAgo(days);
  const code: (typeof traceMissing)[number] =
    days === 0 ? 'trace-off' : isOld ? 'trace-expired' : 'trace-none';
  const message = {
    'trace-off': 'What the model saw is not recorded on this server.',
    'trace-expired': `What the model saw is kept for ${formatCount(days, 'day')}, and this answer is older.`,
    'trace-none': 'What the model saw was not recorded for this answer.',
  }[code];
  return problem('not-found', message, { issues: [{ path: 'id', code, message }] });
}

interface HidingContext {
  whole: WholeTrace;
  contents: () => Contents;
  skills: SkillStore;
}

/** Present permissions decide which skills a trace shows, not those at the time. */
function hidingFor(
  caller: Caller,
  app: AppConfig,
  { whole, contents, skills }: HidingContext,
): Hiding {
  const { find } = createSkillView({
    store: skills,
    config: contents().skills,
    grant: caller.permissions.skills,
    groups: caller.groups,
    owner: getSkillOwner(caller),
    apps: [app],
  });
  const mentioned = [...mentionedIn(whole)];
  return createHiding(new Set(mentioned.filter((name) => !find(name))));
}

/** Administrators see all skills except those that belong to other users who do not share them. */
function hidingPersonal(caller: Caller, whole: WholeTrace, skills: SkillStore): Hiding {
  const own = new Set(skills.getPersonal(getSkillOwner(caller), caller.groups).map(({ id }) => id));
  const mentioned = [...mentionedIn(whole)];
  return createHiding(
    new Set(mentioned.filter((name) => isPersonalSkillId(name) && !own.has(name))),
  );
}

/** IDs of all skills that a trace mentions. */
function mentionedIn({ trace, settings, visible }: WholeTrace): Set<string> {
  return new Set([
    ...[...visible.values()].flatMap(({ ids }) => ids),
    ...[...settings.values()].flatMap(({ off }) => off),
    ...trace.named,
    ...trace.rounds.flatMap(({ active, added, calls, candidates = [] }) => [
      ...active,
      ...candidates,
      ...[...added, ...calls].flatMap(({ skills = [] }) => skills),
    ]),
  ]);
}

/** The rule that hides a skill from members of these groups at present. */
function hidingRule(
  name: string,
  { trace }: WholeTrace,
  { contents, skills }: Dependencies,
): string | undefined {
  const state = contents();
  const app = state.apps.get(trace.app);
  const entry = findEntryByName(name, skills);
  if (!entry) {
    return 'no-such-skill';
  }
  if (!app) {
    return 'app-off';
  }
  const { sees, rule } = visibilityRule({ entry, contents: state, groups: trace.groups, app });
  return sees ? 'visible-now' : rule;
}

function findEntryByName(name: string, { snapshot }: SkillStore) {
  try {
    const found = findEntry(snapshot, name);
    return found.name === name ? found : undefined;
  } catch {
    return undefined;
  }
}
