import { declarationOf } from '@knowhow/shared/config/schema-fields';
import type { TFunction } from 'i18next';
import { type ReactNode, use, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { ConfigPath } from './items/config-path.ts';
import { asList, asNumber, asRecord, asText, type Config } from './items/config-value.ts';
import { useDraft } from './items/draft-context.ts';
import classes from './items/item-page.module.css';
import { SectionContext } from './sections/section-list.ts';
import { valueAt } from './with-value.ts';

interface FormSectionProps {
  title: string;
  description?: string | undefined;
  /** Which fields are summarised next to the form, and how. */
  holds?: Readonly<Partial<Record<ConfigPath, Held>>>;
  /** Other paths that the section edits: errors of all these are counted. */
  fields?: readonly ConfigPath[];
  children: ReactNode;
}

/** A group of related fields. */
export function FormSection(props: FormSectionProps) {
  const { title, description, holds = {}, fields = [], children } = props;
  const { t } = useTranslation();
  const id = useId();
  const sections = use(SectionContext);
  const { schema, form } = useDraft();
  const summary = sectionSummary(holds, { schema, config: form.values }, t);
  const errors = countErrors(form.errors, [...Object.keys(holds), ...fields]);

  useEffect(
    () => sections?.put({ id, title, summary, errors }),
    [sections, id, title, summary, errors],
  );
  useEffect(() => () => sections?.drop(id), [sections, id]);

  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {description && <p className={classes.about}>{description}</p>}
      {children}
    </section>
  );
}

function countErrors(errors: object, fields: readonly string[]): number {
  return Object.keys(errors).filter((path) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)),
  ).length;
}

/** How to summarise a field of a section. */
type Held =
  | keyof typeof counts
  | 'languages'
  | 'switch'
  | 'text'
  | 'tokens'
  | 'models-or-all'
  | 'personal-skills'
  | 'skill-rights'
  | 'admin-rights';

/** Summarises the fields at these paths; an empty list is mentioned only if all are empty. */
function sectionSummary(
  held: Readonly<Partial<Record<string, Held>>>,
  { schema, config }: { schema: z.ZodType; config: Config },
  t: TFunction,
): string {
  const words = Object.entries(held).map(([path, as]) =>
    as === undefined
      ? ''
      : summarizeValue(
          as,
          as === 'switch' ? isSwitchedOn(schema, config, path) : valueAt(config, path.split('.')),
          t,
        ),
  );
  const said = words.filter((each) => each !== '');
  return words.length > 0 && said.length === 0 ? t('adminConfig.holds.nothing') : said.join(', ');
}

function isSwitchedOn(schema: z.ZodType, config: Config, path: string): boolean {
  return (valueAt(config, path.split('.')) ?? declarationOf(schema, path).default) === true;
}

function summarizeValue(as: Held, value: unknown, t: TFunction): string {
  switch (as) {
    case 'languages':
      return summarizeLanguages(value, t);
    case 'switch':
      return value === true ? t('status.on') : t('status.off');
    case 'text':
      return asText(value) ?? '';
    case 'tokens': {
      const tokens = asNumber(value);
      return tokens === undefined ? '' : t('adminConfig.holds.tokens', { count: tokens });
    }
    case 'personal-skills':
      return value === undefined || value === 'none' ? '' : t('adminConfig.group.personal.title');
    case 'skill-rights':
      return isEmptyRecord(value) ? '' : t('adminConfig.skillRight.title');
    case 'admin-rights':
      return summarizeAdminRights(value, t);
    case 'models-or-all':
      return value === undefined ? t(counts.models.all) : summarizeCount('models', value, t);
    default:
      return summarizeCount(as, value, t);
  }
}

/** Whether each of its lists is empty. */
function isEmptyRecord(value: unknown): boolean {
  return Object.values(asRecord(value)).every((items) => asList(items).length === 0);
}

function summarizeAdminRights(value: unknown, t: TFunction): string {
  const rights = asList(value);
  if (value === true || rights.includes('*')) {
    return t('adminConfig.group.adminAccess');
  }
  return rights.length === 0 ? '' : t('adminConfig.group.rightCount', { count: rights.length });
}

function summarizeLanguages(value: unknown, t: TFunction): string {
  const count = Object.values(asRecord(value)).filter(Boolean).length;
  return count > 0 ? t('adminConfig.holds.languages', { count }) : (asText(value) ?? '');
}

function summarizeCount(what: keyof typeof counts, value: unknown, t: TFunction): string {
  const items = asList(value);
  const { all, some } = counts[what];
  if (items.includes('*')) {
    return t(all);
  }
  return items.length === 0 ? '' : t(some, { count: items.length });
}

const counts = {
  apps: { all: 'adminConfig.group.allApps', some: 'adminConfig.group.appCount' },
  categories: {
    all: 'adminConfig.group.categoryCount',
    some: 'adminConfig.group.categoryCount',
  },
  groups: { all: 'adminConfig.holds.groups', some: 'adminConfig.holds.groups' },
  models: { all: 'adminConfig.group.allModels', some: 'adminConfig.group.modelCount' },
  origins: { all: 'adminConfig.holds.origins', some: 'adminConfig.holds.origins' },
  prompts: { all: 'adminConfig.group.allPrompts', some: 'adminConfig.group.promptCount' },
  questions: { all: 'adminConfig.holds.questions', some: 'adminConfig.holds.questions' },
  skills: { all: 'adminConfig.group.allSkills', some: 'adminConfig.group.skillCount' },
  starters: { all: 'adminConfig.holds.starters', some: 'adminConfig.holds.starters' },
  tools: { all: 'adminConfig.group.allTools', some: 'adminConfig.group.toolCount' },
  variables: { all: 'adminConfig.holds.variables', some: 'adminConfig.holds.variables' },
} as const;
