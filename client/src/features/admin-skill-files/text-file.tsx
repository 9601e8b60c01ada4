import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, Suspense, useCallback, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import type { CodeEditorHandle } from './code-editor.tsx';
import type { EditedSkill } from './draft/edited-skill.ts';
import { fileText } from './file-text.ts';
import { hasPreview, Preview } from './preview.tsx';
import { SavedFile } from './saved-file.tsx';
import classes from './text-file.module.css';
import { isSkillFile } from './tree/file-rows.ts';
import type { FileDrafts } from './use-drafts.ts';
import { folderOfSkill, useReview } from './use-review.ts';

const CodeEditor = lazyPart(async () => (await import('./code-editor.tsx')).CodeEditor);

/** The views of a file with a preview. */
export type FileView = 'write' | 'both' | 'preview';

interface TextFileProps {
  skill: EditedSkill;
  file: AdminSkillFile;
  drafts: FileDrafts;
  view: FileView;
  onOpen: (path: string) => void;
}

/** A text file in the editor, with its preview and diagnostics. */
export function TextFile({ skill, file, drafts, view, onOpen }: TextFileProps) {
  const { t } = useTranslation();
  const { path } = file;
  const read = useQuery(fileText(skill, path));
  const text = drafts.all[path]?.text ?? read.data?.text;

  if (text !== undefined) {
    const { text: base = '', checksum = skill.checksum } = read.data ?? {};
    return (
      <Work
        skill={skill}
        path={path}
        text={text}
        view={view}
        onOpen={onOpen}
        onChange={(changed) => drafts.write(path, changed, { base, checksum })}
      />
    );
  }
  if (read.error) {
    return <ErrorNote error={read.error} onRetry={() => read.refetch()} />;
  }
  if (read.data) {
    return <SavedFile skill={skill} file={file} diagnostic={t('skillFiles.notUtf8')} />;
  }
  return <Skeleton height={320} radius={8} />;
}

interface WorkProps extends Pick<TextFileProps, 'skill' | 'view' | 'onOpen'> {
  path: string;
  text: string;
  onChange: (text: string) => void;
}

function Work({ skill, path, text, view, onOpen, onChange }: WorkProps) {
  const { t } = useTranslation();
  const hint = useId();
  const editor = useRef<CodeEditorHandle>(null);
  const attach = useAddressedLine(editor);
  const isMain = isSkillFile(path);
  const review = useReview(folderOfSkill(skill), isMain ? text : undefined);

  return (
    <>
      <div className={classes.work} data-view={hasPreview(path) ? view : 'write'}>
        <div className={classes.editor}>
          <Suspense fallback={<Skeleton height="100%" radius={8} />}>
            <CodeEditor
              ref={attach}
              path={path}
              label={path}
              describedBy={hint}
              text={text}
              readOnly={!skill.writable}
              diagnostics={review.report?.diagnostics}
              onChange={onChange}
            />
          </Suspense>
        </div>
        {hasPreview(path) && view !== 'write' && (
          <Preview skill={skill} path={path} text={text} onFollow={onOpen} />
        )}
      </div>
      <p id={hint} className={classes.hint}>
        {skill.writable ? t('skillFiles.keys') : t('skillFiles.keysReadOnly')}
      </p>
      {isMain && (
        <SkillReview
          report={review.report}
          error={review.error}
          onShowLine={(line) => editor.current?.showLine(line)}
        />
      )}
    </>
  );
}

/** Scrolls to the line in the URL (`#L12`) once the editor has loaded. */
function useAddressedLine(editor: RefObject<CodeEditorHandle | null>) {
  const line = Number(/^#L(\d+)$/.exec(useLocation().hash)?.[1]);
  const shown = useRef<number>(undefined);
  return useCallback(
    (handle: CodeEditorHandle | null) => {
      editor.current = handle;
      if (handle && line > 0 && shown.current !== line) {
        shown.current = line;
        handle.showLine(line);
      }
    },
    [editor, line],
  );
}

interface SkillReviewProps {
  report: SkillReport | undefined;
  error: unknown;
  onShowLine: (line: number) => void;
}

/** Live diagnostics of a `SKILL.md`, and its token cost. */
function SkillReview({ report, error, onShowLine }: SkillReviewProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.review} aria-labelledby="skill-review">
      <div className={classes.head}>
        <h2 id="skill-review">{t('skillFiles.review')}</h2>
        {report && (
          <p>
            {t('skillFiles.entryTokens', { count: report.tokens.entry })} ·{' '}
            {t('skillFiles.bodyTokens', { count: report.tokens.body })}
          </p>
        )}
      </div>
      {error ? (
        <ErrorNote error={error} />
      ) : (
        <Diagnostics report={report} onShowLine={onShowLine} />
      )}
    </section>
  );
}

function Diagnostics({ report, onShowLine }: Omit<SkillReviewProps, 'error'>) {
  const { t } = useTranslation();
  if (!report) {
    return <Skeleton height={44} radius={8} />;
  }
  if (report.diagnostics.length === 0) {
    return (
      <p className={classes.fine}>
        <IconCircleCheck size={18} aria-hidden /> {t('skillFiles.noDiagnostics')}
      </p>
    );
  }
  return <DiagnosticsList diagnostics={report.diagnostics} onShowLine={onShowLine} />;
}
