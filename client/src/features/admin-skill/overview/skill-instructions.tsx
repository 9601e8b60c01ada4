import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buildUrl, send } from '../../../api/request.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { MarkdownBaseContext } from '../../../ui/markdown/markdown-base.ts';
import { withoutFrontmatter } from '../../../ui/markdown/without-frontmatter.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { skillFilePath } from '../skill-path.ts';
import classes from './skill-instructions.module.css';

/** More lines than that are collapsed. */
const manyLines = 40;

/** The raw instructions that the model reads when the skill is activated. */
export function SkillInstructions({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { data: text, error, refetch, isLoading } = useInstructions(skill);
  return (
    <Section title={t('skillPage.instructions')}>
      {isLoading && <Lines />}
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {text === '' && <p className={classes.none}>{t('skillPage.noInstructions')}</p>}
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
