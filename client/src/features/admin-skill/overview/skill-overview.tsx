import type { AdminSkillDetail, SkillStatus } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import { Button, Skeleton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { findVersion } from '../../../api/find-version.ts';
import { query } from '../../../api/query.ts';
import { buildUrl, send } from '../../../api/request.ts';
import { DiagnosticsList } from '../../../ui/diagnostics-list.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { MarkdownBaseContext } from '../../../ui/markdown/markdown-base.ts';
import { withoutFrontmatter } from '../../../ui/markdown/without-frontmatter.ts';
import { useRight, useSkillRight } from '../../../ui/rights.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { usePolicyText } from '../../../ui/text/use-policy-text.ts';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { Upstreams } from '../../../ui/upstreams/upstreams.tsx';
import { usePublishing } from '../../../ui/use-publishing.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import boxed from '../boxed-list.module.css';
import { DangerZone } from '../settings/danger-zone.tsx';
import { SkillLabels } from '../settings/skill-labels.tsx';
import { SkillSettings } from '../settings/skill-settings.tsx';
import { SkillToolSettings } from '../settings/skill-tool-settings.tsx';
import { SkillTranslations } from '../settings/skill-translations.tsx';
import { skillFilePath } from '../skill-path.ts';
import { useKeepSkill } from '../use-skill.ts';
import { useRestore } from '../versions/use-restore.ts';
import { WriteError } from '../write-error.tsx';
import { lacksDescription } from './own-description.ts';
import { SkillFacts } from './skill-facts.tsx';
import classes from './skill-overview.module.css';
import { SkillScripts } from './skill-scripts.tsx';

/** The overview of a skill: details, diagnostics and settings. */
export function SkillOverview({ skill }: { skill: AdminSkillDetail }) {
  const isManager = useRight('skills');
  return (
    <div className={classes.overview}>
      <div className={classes.main}>
        {skill.description && (
          <p className={classes.lead}>{revealHiddenCharacters(skill.description)}</p>
        )}
        <SkillDiagnostics skill={skill} />
        <SkillInstructions skill={skill} />
        {isManager && <ManagedParts skill={skill} />}
        <ShadowedSkills skill={skill} />
      </div>
      <SkillFacts skill={skill} />
      <DangerZone skill={skill} />
    </div>
  );
}

/** The settings, for users who administer all skills. */
function ManagedParts({ skill }: { skill: AdminSkillDetail }) {
  return (
    <>
      <SkillSources skill={skill} />
      <SkillSettings skill={skill} />
      {skill.writable && <SkillLabels skill={skill} />}
      {skill.writable && <SkillTranslations skill={skill} />}
      <SkillScripts skill={skill} />
      <SkillToolSettings skill={skill} />
    </>
  );
}

/** The sources that the skill was taken from. */
function SkillSources({ skill: { name } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { data } = useQuery(query(skillUpstreamsApi.ofSkill, { params: { name } }));
  return data && data.items.length > 0 ? (
    <Section title={t('upstreams.ofSkill')}>
      <Upstreams items={data.items} names="sources" />
    </Section>
  ) : null;
}

/** Skills with the same name that this one shadows. */
function ShadowedSkills({ skill: { hides, name } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  if (hides.length === 0) {
    return null;
  }
  return (
    <Section title={t('skillPage.hides')} text={t('skillPage.hidesText', { name })}>
      <ul className={`${boxed.list} ${classes.list}`}>
        {hides.map(({ location, description }) => (
          <li key={location}>
            <code>{location}</code>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Errors, warnings and hints of a skill. */
function SkillDiagnostics({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fix = useFix(skill);
  const container = useRef<HTMLDivElement>(null);
  const { diagnostics, writable, status, name, category } = skill;
  const texts: Partial<Record<SkillStatus, string>> = {
    broken: t('skillPage.brokenText'),
    shadowed: t('skillPage.shadowedText', { name }),
    off: lacksDescription(skill) ? t('skillPage.noDescriptionText') : undefined,
  };
  const { mayPublish, policy } = usePublishing(category);
  const mayWrite = useSkillRight('author', category);
  const isManager = useRight('skills');
  const policyText = usePolicyText();
  // The pressed button disappears with its diagnostic.
  const onFixed = () => container.current?.focus();

  return (
    <Section title={t('skillPage.diagnostics')} text={texts[status]}>
      <div ref={container} className={classes.diagnostics} tabIndex={-1}>
        {!mayPublish && mayWrite && (
          <p className={classes.needsReview}>
            {t('skillPage.needsReview')} {isManager && policy && policyText(policy)}
          </p>
        )}
        {fix.error && <WriteError error={fix.error} onReloaded={fix.reset} />}
        {diagnostics.length === 0 ? (
          <p className={classes.none}>
            <IconCheck size={18} aria-hidden />
            {t('skillPage.noDiagnostics')}
          </p>
        ) : (
          <DiagnosticsList
            diagnostics={diagnostics}
            onFix={
              writable && mayPublish
                ? (code) => fix.mutate(code, { onSuccess: onFixed })
                : undefined
            }
            fixing={fix.isPending ? fix.variables : undefined}
            onShowLine={(line) => navigate(`${skillFilePath(name, 'SKILL.md')}#L${line}`)}
          />
        )}
      </div>
    </Section>
  );
}

/** Lets the server fix a diagnostic by code; undo restores the previous version. */
function useFix({ name, checksum }: AdminSkillDetail) {
  const { t } = useTranslation();
  const keepSkill = useKeepSkill();
  const showUndo = useUndoToast();
  const restore = useRestore(name);

  async function undo(fixed: AdminSkillDetail) {
    const number = await findVersion(name, checksum);
    await restore({ number, ifMatch: fixed.checksum });
  }

  return useMutation({
    mutationFn: (code: string) =>
      call(adminSkillsApi.fix, { params: { name }, body: { code } }, { ifMatch: checksum }),
    onSuccess: (fixed) => {
      void keepSkill(fixed);
      showUndo({ message: t('skillPage.fixed'), undo: () => undo(fixed) });
    },
  });
}

/** More lines than that are collapsed. */
const manyLines = 40;

/** The raw instructions that the model reads when the skill is activated. */
function SkillInstructions({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { data: text, error, refetch, isLoading } = useInstructions(skill);
  return (
    <Section title={t('skillPage.instructions')}>
      {isLoading && <Lines />}
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {text === '' && (
        <p className={classes.skillInstructionsNone}>{t('skillPage.noInstructions')}</p>
      )}
      {text && <Text name={skill.name} text={text} />}
    </Section>
  );
}

function Text({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation();
  const isLong = text.split('\n').length > manyLines;
  const [isOpen, setOpen] = useState(false);
  const base = useMemo(
    () => ({
      link: (path: string) => skillFilePath(name, path),
      picture: (path: string) => buildUrl(adminSkillFilesApi.file, { params: { name, path } }),
    }),
    [name],
  );
  const isFolded = isLong && !isOpen;
  return (
    <div className={classes.text}>
      <div
        className={classes.fold}
        data-folded={isFolded || undefined}
        // Moving the focus into the collapsed part expands it.
        onFocusCapture={() => setOpen(true)}
      >
        <Suspense fallback={<Lines />}>
          <MarkdownBaseContext value={base}>
            <Markdown text={text} streaming={false} />
          </MarkdownBaseContext>
        </Suspense>
      </div>
      {isLong && (
        <Button
          className={classes.more}
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('skillPage.showLess') : t('skillPage.showAll')}
        </Button>
      )}
    </div>
  );
}

function Lines() {
  return (
    <div className={classes.skeleton} aria-hidden>
      {['40%', '92%', '86%', '70%', '88%', '64%'].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </div>
  );
}

/** The body of a skill's `SKILL.md`. */
function useInstructions({ name, checksum, fileList }: AdminSkillDetail) {
  const paths = fileList.map(({ path }) => path);
  const path =
    paths.find((each) => each === 'SKILL.md') ??
    paths.find((each) => each.toLowerCase() === 'skill.md');
  return useQuery({
    queryKey: [adminSkillFilesApi.file.path, 'instructions', name, checksum],
    queryFn: async ({ signal }) => {
      const params = { name, path: path ?? 'SKILL.md' };
      const response = await send(adminSkillFilesApi.file, { params }, { signal });
      return withoutFrontmatter(await response.text());
    },
    enabled: path !== undefined,
  });
}
