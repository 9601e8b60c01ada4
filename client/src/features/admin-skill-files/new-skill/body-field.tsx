import { SegmentedControl, Skeleton } from '@mantine/core';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { type NewSkill, type Template, templates } from './new-skill.ts';
import classes from './new-skill-form.module.css';

const CodeEditor = lazyPart(async () => (await import('../code-editor.tsx')).CodeEditor);

interface BodyFieldProps {
  skill: NewSkill;
  /** The typed text or the template. */
  body: string;
  error: string | undefined;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** The instructions, started from a template. */
export function BodyField({ skill, body, error, onChange }: BodyFieldProps) {
  const { t } = useTranslation();
  const showUndo = useUndoToast();
  const ids = useId();
  const [isPreview, setPreview] = useState(false);

  function choose(template: Template) {
    const { template: before, body: written } = skill;
    onChange({ template, body: undefined });
    if (written !== undefined) {
      const undo = () => onChange({ template: before, body: written });
      showUndo({ message: t('newSkill.replaced'), undo });
    }
  }

  return (
    <section aria-labelledby={`${ids}-title`}>
      <h2 id={`${ids}-title`}>{t('newSkill.body')}</h2>
      <p className={classes.about}>{t('newSkill.bodyHint')}</p>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={t('newSkill.template')}
          classNames={{ label: classes.choice }}
          size="xs"
          data={templates.map((value) => ({ value, label: t(templateNames[value]) }))}
          value={skill.template}
          onChange={(value) => choose(value as Template)}
        />
        <SegmentedControl
          aria-label={t('skillFiles.view')}
          classNames={{ label: classes.choice }}
          size="xs"
          data={[
            { value: 'write', label: t('skillFiles.write') },
            { value: 'preview', label: t('skillFiles.preview') },
          ]}
          value={isPreview ? 'preview' : 'write'}
          onChange={(value) => setPreview(value === 'preview')}
        />
      </div>
      <div className={classes.body}>
        <Suspense fallback={<Skeleton height="100%" />}>
          {isPreview ? (
            <ScrollingGroup className={classes.preview} label={t('skillFiles.preview')}>
              <Markdown text={body} streaming={false} />
            </ScrollingGroup>
          ) : (
            <CodeEditor
              path="SKILL.md"
              label={t('newSkill.body')}
              describedBy={`${ids}-keys`}
              text={body}
              readOnly={false}
              onChange={(changed) => onChange({ body: changed })}
            />
          )}
        </Suspense>
      </div>
      <p id={`${ids}-keys`} className={classes.quiet}>
        {t('newSkill.bodyKeys')}
      </p>
      {error && <p className={classes.error}>{error}</p>}
    </section>
  );
}

const templateNames = {
  procedure: 'newSkill.templates.procedure',
  style: 'newSkill.templates.style',
  checklist: 'newSkill.templates.checklist',
  empty: 'newSkill.templates.empty',
} as const;
