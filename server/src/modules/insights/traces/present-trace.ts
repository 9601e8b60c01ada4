import type {
  Trace,
  TraceCatalogue,
  TraceMessage,
  TraceRound,
  TraceUsage,
} from '@knowhow/shared/chat/traces';
import { countTokens } from '@knowhow/shared/count-tokens';
import { fillPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import {
  createHiding,
  type Hiding,
  mentionsHidden,
  systemWithout,
  withoutEntries,
  withoutHidden,
  withoutNames,
} from './hide-skills.ts';
import type {
  StoredCall,
  StoredMessage,
  StoredRound,
  TraceSetting,
  WholeTrace,
} from './stored-trace.ts';

/** Maximum names listed per category; the totals are always reported. */
const maxNames = 1000;

/** A trace as its reader may see it. */
export function presentTrace(whole: WholeTrace, hiding: Hiding): Trace {
  const { messageId, trace, settings } = whole;
  const { at, conversation, rounds, groups, named: _named, values: _values, ...rest } = trace;
  const off = [...settings.values()].flatMap((setting) => setting.off);
  return {
    ...rest,
    messageId,
    conversationId: conversation,
    groups: [...groups],
    startedAt: toIso(at),
    skillsOff: withoutHidden([...new Set(off)], hiding),
    rounds: rounds.map((round) => presentRound(round, whole, hiding)),
    usage: sumUsage(rounds.flatMap(({ usage }) => usage ?? [])),
  };
}

function presentRound(round: StoredRound, whole: WholeTrace, hiding: Hiding): TraceRound {
  const { purpose, model, at, ms, firstMs, earlier, notices, text, usage, stop, error } = round;
  const setting = whole.settings.get(round.setting);
  const system =
    round.instruction === undefined
      ? systemWithout(withValues(setting ?? { system: [] }, whole.trace), hiding)
      : [{ kind: 'instruction' as const, text: round.instruction }];
  return {
    purpose,
    model,
    startedAt: toIso(at),
    ms,
    ...(firstMs === undefined ? {} : { firstTokenMs: firstMs }),
    system: system.map((block) => ({ ...block, tokens: countTokens(block.text) })),
    catalogue: presentCatalogue(round, whole, hiding),
    activeSkills: withoutHidden(round.active, hiding),
    versions: Object.fromEntries(
      Object.entries(round.versions ?? {}).filter(([name]) => !hiding.hidden.has(name)),
    ),
    tools:
      purpose === 'answer'
        ? (setting?.tools ?? []).map((tool) => ({
            ...tool,
            parameters: withoutNames(tool.parameters, hiding),
          }))
        : [],
    earlier,
    added: round.added.map((message) => presentMessage(message, round, hiding)),
    notices,
    ...(text === undefined ? {} : { text: hiding.isNamedIn(text) ? '' : text }),
    calls: round.calls.map((call) => presentCall(call, hiding)),
    ...(usage ? { usage } : {}),
    ...(stop ? { stop } : {}),
    ...(error ? { error } : {}),
  };
}

/** Fills the app's prompt with this user's values. */
function withValues<Setting extends Pick<TraceSetting, 'system'>>(
  setting: Setting,
  { values }: WholeTrace['trace'],
): Setting {
  if (!values) {
    return setting;
  }
  const byName = new Map(Object.entries(values));
  const system = setting.system.map((block) =>
    block.kind === 'app' ? { ...block, text: fillPlaceholders(block.text, byName) } : block,
  );
  return { ...setting, system };
}

function presentCatalogue(
  { purpose, setting: key, candidates = [] }: StoredRound,
  { trace, settings, visible }: WholeTrace,
  hiding: Hiding,
): TraceCatalogue {
  const setting = settings.get(key);
  if (!setting || purpose === 'summary') {
    return presentLists({ mode: 'none', ...noLists }, hiding);
  }
  const { ids, userOnly } = visible.get(setting.visible) ?? { ids: [], userOnly: [] };
  const { listing } = setting;
  const offered = purpose === 'router' ? candidates : listing.shown;
  const named = purpose === 'router' ? [] : trace.named;
  const known = new Set([...offered, ...named, ...userOnly]);
  const best = listing.behind.filter((name) => !known.has(name));
  const leftOut = [...new Set([...best, ...ids.filter((name) => !known.has(name))])];
  return presentLists(
    purpose === 'router'
      ? { ...noLists, mode: 'router', offered, leftOut, userOnly }
      : {
          mode: listing.mode,
          budget: listing.budget,
          offered,
          shortened: listing.shortened,
          named,
          leftOut,
          userOnly,
        },
    hiding,
  );
}

const noLists = { offered: [], shortened: [], named: [], leftOut: [], userOnly: [] };

type Lists = Record<keyof TraceCatalogue['totals'], readonly string[]>;

function presentLists(
  { mode, budget, ...lists }: Pick<TraceCatalogue, 'mode' | 'budget'> & Lists,
  hiding: Hiding,
): TraceCatalogue {
  const seen = {
    offered: withoutHidden(lists.offered, hiding),
    shortened: withoutHidden(lists.shortened, hiding),
    named: withoutHidden(lists.named, hiding),
    leftOut: withoutHidden(lists.leftOut, hiding),
    userOnly: withoutHidden(lists.userOnly, hiding),
  };
  return {
    mode,
    ...(budget === undefined ? {} : { budget }),
    ...seen,
    leftOut: seen.leftOut.slice(0, maxNames),
    userOnly: seen.userOnly.slice(0, maxNames),
    totals: {
      offered: seen.offered.length,
      shortened: seen.shortened.length,
      named: seen.named.length,
      leftOut: seen.leftOut.length,
      userOnly: seen.userOnly.length,
    },
  };
}

function presentMessage(
  message: StoredMessage,
  { purpose }: StoredRound,
  hiding: Hiding,
): TraceMessage {
  const { skills: _, ...shown } = message;
  if (!mentionsHidden(message, hiding)) {
    return shown;
  }
  const content = message.role === 'user' ? withoutEntries(message.content, hiding) : undefined;
  // Catalogues are shown without hidden entries; other messages that mention hidden skills are withheld entirely.
  const own = createHiding(new Set(message.skills?.filter((name) => hiding.hidden.has(name))));
  const canShowRest = purpose === 'router' || (content !== undefined && !own.isNamedIn(content));
  return content !== undefined && canShowRest
    ? { ...shown, content }
    : { role: message.role, content: '', ...pickName(message), withheld: true };
}

function pickName({ name }: StoredMessage): { name?: string } {
  return name === undefined ? {} : { name };
}

function presentCall(call: StoredCall, hiding: Hiding): TraceRound['calls'][number] {
  const { name, at, ms, bytes, error } = call;
  const isHidden =
    mentionsHidden(call, hiding) || hiding.isNamedIn(JSON.stringify(call.input) ?? '');
  return {
    name,
    input: isHidden ? null : (call.input ?? null),
    startedAt: toIso(at),
    ms,
    bytes,
    error,
    summary: isHidden ? '' : call.summary,
  };
}

/** Sums all usage; costs only if they share a currency. */
function sumUsage(usages: readonly TraceUsage[]): TraceUsage {
  const sum = (count: (usage: TraceUsage) => number | undefined) =>
    usages.reduce((total, usage) => total + (count(usage) ?? 0), 0);
  const currencies = new Set(usages.map(({ currency }) => currency));
  const [currency] = currencies;
  const isKnown = (count: (usage: TraceUsage) => number | undefined) =>
    usages.some((usage) => count(usage) !== undefined);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    ...(isKnown((usage) => usage.cachedTokens)
      ? { cachedTokens: sum((usage) => usage.cachedTokens) }
      : {}),
    ...(isKnown((usage) => usage.cacheWriteTokens)
      ? { cacheWriteTokens: sum((usage) => usage.cacheWriteTokens) }
      : {}),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(currencies.size === 1 && currency !== undefined
      ? { cost: sum(({ cost }) => cost), currency }
      : {}),
  };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
