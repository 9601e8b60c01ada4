import { activationVia, endReasons } from '@knowhow/shared/chat/chat';
import type { Costs, NamedUse, SkillReport, SkillUse, Use } from '@knowhow/shared/config/analytics';

type Cell = string | number;
type Row = Partial<Record<string, Cell>>;

const uses = [
  'conversations',
  'conversations_with_skill',
  'answers',
  'answers_with_skill',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
];
const activations = activationVia.map((via) => `activated_by_${via}`);
const ends = endReasons.map((reason) => `ended_${reason.replaceAll('-', '_')}`);
const columns = [
  'kind',
  'name',
  ...uses,
  'instruction_tokens',
  'cost',
  ...activations,
  ...ends,
  'refused',
  'limited',
  'searched',
  'found_nothing',
  'thumbs_up',
  'thumbs_down',
];

/** A report as CSV with a row per item: total, week, app, group, model, skill, unused skill. */
export function reportCsv(report: SkillReport): string {
  const { totals, weeks, apps, groups, models, skills, thumbs, neverUsed } = report;
  const named = (kind: string, found: readonly NamedUse[]) =>
    found.map((use): Row => ({ kind, name: use.id, ...useCells(use) }));
  const rows: Row[] = [
    {
      kind: 'all',
      name: `${report.from} to ${report.to}`,
      ...useCells(totals),
      ...eventCells(totals),
      cost: costCell(totals.costs),
      searched: totals.searched,
      found_nothing: totals.foundNothing,
    },
    ...Object.entries(thumbs).map(
      ([which, { up, down }]): Row => ({
        kind: 'thumbs',
        name: which === 'withSkill' ? 'with skill' : 'without skill',
        thumbs_up: up,
        thumbs_down: down,
      }),
    ),
    ...weeks.map((use): Row => ({ kind: 'week', name: use.week, ...useCells(use) })),
    ...named('app', apps),
    ...named('group', groups),
    ...named('model', models),
    ...skills.map(skillCells),
    ...neverUsed.names.map((name): Row => ({ kind: 'skill never used', name })),
  ];
  const lines = rows.map((row) => columns.map((column) => cell(row[column] ?? '')).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

function useCells(use: Use): Row {
  return {
    conversations: use.conversations,
    conversations_with_skill: use.conversationsWithSkill,
    answers: use.answers,
    answers_with_skill: use.answersWithSkill,
    ...tokenCells(use),
  };
}

function tokenCells(use: Pick<Use, 'inputTokens' | 'cachedTokens' | 'outputTokens'>): Row {
  return {
    input_tokens: use.inputTokens,
    cached_tokens: use.cachedTokens,
    output_tokens: use.outputTokens,
  };
}

function eventCells({
  activations: by,
  refused,
  limited,
}: Pick<SkillUse, 'activations' | 'refused' | 'limited'>): Row {
  const counts = activationVia.map((via, index) => [activations[index], by[via]]);
  return { ...Object.fromEntries(counts), refused, limited };
}

function skillCells(skill: SkillUse): Row {
  const { name, conversations, answers, instructionTokens, ended, costs, thumbs } = skill;
  return {
    kind: 'skill',
    name,
    conversations,
    answers,
    ...tokenCells(skill),
    instruction_tokens: instructionTokens,
    cost: costCell(costs),
    ...eventCells(skill),
    ...Object.fromEntries(endReasons.map((reason, index) => [ends[index], ended[reason]])),
    thumbs_up: thumbs.up,
    thumbs_down: thumbs.down,
  };
}

function costCell(costs: Costs): string {
  return costs.map(({ currency, amount }) => `${amount.toFixed(4)} ${currency}`).join('; ');
}

/** Prefixed with an apostrophe against CSV injection (formulas in spreadsheets). */
const formulaStart = /^[=+\-@\t\r\n]/;

function cell(value: Cell): string {
  const text = String(value);
  const escaped = typeof value === 'string' && formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
