import { type AuditEntry, adminApi } from '@knowhow/shared/config/admin';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import { pages } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { useRight } from '../../../ui/rights.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { VersionUses } from '../../../ui/version-uses.tsx';
import boxed from '../boxed-list.module.css';
import { Rows } from '../rows.tsx';
import tabClasses from '../skill-tab.module.css';
import { CompareBar } from './compare-bar.tsx';
import { differences } from './differences.ts';
import { PreviewNote } from './preview-version.tsx';
import classes from './skill-audit.module.css';
import { useActionName } from './use-action-name.ts';
import { type Compared, VersionComparison } from './version-comparison.tsx';
import { VersionRow } from './version-row.tsx';

/** The versions and the audit entries of a skill. */
export function SkillVersionsTab({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={tabClasses.tab}>
      <Versions skill={skill} />
      <Uses skill={skill} />
      <SkillAudit name={skill.name} />
    </div>
  );
}

/** The number of versions that are loaded at a time. */
const pageSize = 50;

function versionPages(skill: string) {
  return pages(skillVersionsApi.list, { params: { skill }, query: { limit: pageSize } });
}

function Versions({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(versionPages(skill.name));
  const [selected, setSelected] = useState<readonly number[]>([]);
  const [search] = useSearchParams();
  const [compared, setCompared] = useState(() => readComparison(search));
  const start = useRef<HTMLDivElement>(null);
  const compareBar = useRef<HTMLDivElement>(null);
  const versions = list.data?.pages.flatMap(({ items }) => items) ?? [];

  function select(number: number, isSelected: boolean) {
    const others = selected.filter((other) => other !== number);
    // A third one replaces the one that was selected first.
    setSelected(isSelected ? [...others.slice(-1), number] : others);
  }

  return (
    <Section title={t('skillPage.versions')} text={t('skillPage.versionsText')}>
      <div ref={start} tabIndex={-1}>
        <PreviewNote skill={skill} onEnded={() => start.current?.focus()} />
      </div>
      <LoadError queries={[list]} />
      {list.isPending && <Rows />}
      {list.data && versions.length === 0 && (
        <EmptyState title={t('skillPage.noVersions')} text={t('skillPage.noVersionsText')} />
      )}
      {versions.length > 1 && (
        <CompareBar
          ref={compareBar}
          selected={selected}
          onCompare={setCompared}
          onClear={() => setSelected([])}
        />
      )}
      {compared && (
        <VersionComparison
          name={skill.name}
          compared={compared}
          onClose={() => {
            setCompared(undefined);
            compareBar.current?.focus();
          }}
        />
      )}
      <ol className={boxed.list}>
        {versions.map((version) => (
          <VersionRow
            key={version.number}
            skill={skill}
            version={version}
            newest={versions[0]?.number}
            isSelected={selected.includes(version.number)}
            onSelect={
              versions.length > 1 ? (isSelected) => select(version.number, isSelected) : undefined
            }
          />
        ))}
      </ol>
      <MoreButton list={list} />
    </Section>
  );
}

const comparisonSchema = z.object({
  from: z.coerce.number().int().positive(),
  to: z.coerce.number().int().positive(),
});

/** The comparison that a link opens, as in `?from=4&to=7`. */
function readComparison(search: URLSearchParams): Compared | undefined {
  return comparisonSchema.safeParse(Object.fromEntries(search)).data;
}

/** Usage of the versions, for users with permission. */
function Uses({ skill: { name, preview } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const mayRead = useRight('analytics');
  const list = useInfiniteQuery({ ...versionPages(name), enabled: mayRead });
  const versions = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const [published, previous] = versions.filter(({ checksum }) => checksum !== undefined);
  return mayRead ? (
    <Section title={t('analytics.versions.title')} text={t('analytics.versions.about')}>
      <VersionUses
        skill={name}
        roles={{
          ...(published ? { published: published.number } : {}),
          ...(previous ? { previous: previous.number } : {}),
          ...(preview ? { preview: preview.version } : {}),
        }}
      />
    </Section>
  ) : null;
}

/** Audit entries of a skill, newest first, for users with permission. */
function SkillAudit({ name }: { name: string }) {
  const { t } = useTranslation();
  const mayRead = useRight('audit');
  const audit = useInfiniteQuery({
    ...pages(adminApi.audit, { query: { kind: 'skill', target: name, limit: 20 } }),
    enabled: mayRead,
  });
  const entries = audit.data?.pages.flatMap(({ items }) => items) ?? [];
  if (!mayRead) {
    return null;
  }
  return (
    <Section title={t('skillPage.audit')} text={t('skillPage.auditText')}>
      <LoadError queries={[audit]} />
      {audit.isPending && <Rows />}
      {audit.data && entries.length === 0 && (
        <p className={classes.none}>{t('skillPage.noAudit')}</p>
      )}
      <ul className={`${boxed.list} ${classes.list}`}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <MoreButton list={audit} />
    </Section>
  );
}

/** For example, the path of the written file. */
const summarySchema = z.object({ summary: z.string().min(1) });

function Entry({ entry }: { entry: AuditEntry }) {
  const { date, relativeDate } = useFormat();
  const actionName = useActionName();
  const { at, userName, action, before, after } = entry;
  const { summary } = summarySchema.safeParse(after).data ?? {};
  return (
    <li>
      <time dateTime={at} title={date(at)}>
        {relativeDate(at)}
      </time>
      <span className={classes.who}>{userName}</span>
      <span className={classes.what}>
        {actionName(action)} {summary !== undefined && <code>{summary}</code>}
        {differences(before, after).map(({ field, was, is }) => (
          <code key={field} className={classes.difference}>
            {field}: {was === undefined ? is : `${was} → ${is ?? '–'}`}
          </code>
        ))}
      </span>
    </li>
  );
}
