import { maxDisplayNameLength } from '@knowhow/shared/skills/admin-skill';
import { SegmentedControl, Skeleton, Textarea, TextInput } from '@mantine/core';
import { IconBulb, IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, type SubmitEvent, Suspense, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { usePersistedState } from '../../../ui/use-persisted-state.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import type { EditedSkill } from '../draft/edited-skill.ts';
import type { FileAtPath } from '../use-file-actions.ts';
import { useReview } from '../use-review.ts';
import { CreateOutcome } from './create-outcome.tsx';
import { descriptionAdvice } from './description-advice.ts';
import { EntryPreview } from './entry-preview.tsx';
import { fieldError } from './field-errors.ts';
import { FilesField, validateFile } from './files-field.tsx';
import { LabelFields } from './label-fields.tsx';
import {
  emptySkill,
  type NewSkill,
  newSkillSchema,
  skillText,
  type Template,
  templates,
  toCreateRequest,
  validateTags,
} from './new-skill.ts';
import classes from './new-skill-form.module.css';
import { useBody } from './use-body.ts';
import { useCreate } from './use-create.ts';
import type { NameCheck } from './use-name-check.ts';
import { useNameCheck } from './use-name-check.ts';

/** The form for a new skill, from its title to its files. */
export function NewSkillForm({ onCreated }: { onCreated: (skill: EditedSkill) => void }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const draft = usePersistedState('new-skill', newSkillSchema, emptySkill);
  const skill = draft.value;
  const [files, setFiles] = useState<readonly FileAtPath[]>([]);
  const [isTried, setTried] = useState(false);
  const check = useNameCheck(skill);
  const body = useBody(skill);
  const warning = useUnsavedWarning(skill !== emptySkill || files.length > 0);
  const creation = useCreate((created) => {
    draft.forget();
    warning.letGo();
    onCreated(created);
  });

  const { creating, begun } = creation;
  const written = toCreateRequest(skill, check.name, body);
  const chosen = skill.withFiles ? files : [];
  const refused = fieldError(creating.error, t('problem.nameTaken'));
  const errorOf = (field: string) => (refused?.field === field ? refused.message : undefined);

  function change(changed: Partial<NewSkill>) {
    draft.setValue((before) => ({ ...before, ...changed }));
    creating.reset();
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    create();
  }

  function create() {
    setTried(true);
    const faulty = findFirstError(skill, chosen);
    if (faulty) {
      form.current?.querySelector<HTMLElement>(faulty)?.focus();
    } else if (!creating.isPending && !begun) {
      creating.mutate({ skill, body, files: chosen });
    }
  }

  function onKeyDownCapture(event: KeyboardEvent) {
    if (isSubmitKey(event)) {
      event.preventDefault();
      event.stopPropagation();
      create();
    }
  }

  const missing = (value: string) => (isTried && value === '' ? t('newSkill.missing') : undefined);
  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={onSubmit}
      onKeyDownCapture={onKeyDownCapture}
    >
      {warning.question}
      <div className={classes.fields}>
        <NameFields
          skill={skill}
          check={check}
          error={errorOf('name') ?? missing((skill.name ?? skill.title).trim())}
          onChange={change}
        />
        <DescriptionField
          value={skill.description}
          error={errorOf('description') ?? missing(written.description)}
          onChange={(description) => change({ description })}
        />
        <LabelFields skill={skill} error={errorOf('tags')} onChange={change} />
        <BodyField skill={skill} body={body} error={errorOf('body')} onChange={change} />
        <FilesField
          withFiles={skill.withFiles}
          files={files}
          onWithFiles={(withFiles) => change({ withFiles })}
          onFiles={setFiles}
        />
        <CreateOutcome creation={creation} isAboutField={refused !== undefined} />
      </div>
      <Preview written={written} />
    </form>
  );
}

/** Ctrl+Enter, which the editor would turn into a line break. */
function isSubmitKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}

/** The catalogue entry, and the server's review. */
function Preview({ written }: { written: ReturnType<typeof toCreateRequest> }) {
  const { name, description } = written;
  const isDescribed = name !== '' && description !== '';
  const review = useReview(name, isDescribed ? skillText(written) : undefined);
  return (
    <EntryPreview
      name={name}
      description={description}
      report={isDescribed ? review.report : undefined}
    />
  );
}

/** Selector of the first required field that is empty. */
function findFirstError(skill: NewSkill, files: readonly FileAtPath[]): string | undefined {
  const field = findInvalidField(skill);
  if (field) {
    return `[name=${field}]`;
  }
  return files.some((_, index) => validateFile(files, index)) ? '[aria-invalid=true]' : undefined;
}

function findInvalidField(skill: NewSkill): string | undefined {
  const { title, name = title, description } = skill;
  if (name.trim() === '') {
    return 'name';
  }
  const length = descriptionLength(description);
  if (length === 0 || length > maxDescriptionLength) {
    return 'description';
  }
  return validateTags(skill) ? 'tags' : undefined;
}

/** In characters, from the Agent Skills specification. */
const maxDescriptionLength = 1024;

interface DescriptionFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The description, with a counter and live advice. */
function DescriptionField({ value, error, onChange }: DescriptionFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const length = descriptionLength(value);
  const isLong = length > maxDescriptionLength;
  return (
    <div>
      <Textarea
        label={t('newSkill.description')}
        description={t('newSkill.descriptionHint')}
        name="description"
        required
        withAsterisk={false}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={
          isLong ? t('newSkill.descriptionLong', { by: length - maxDescriptionLength }) : error
        }
      />
      <p className={classes.counter} data-over={isLong || undefined}>
        {t('newSkill.counter', {
          count: length,
          most: format.number(maxDescriptionLength),
        })}
      </p>
      <ul className={classes.advice}>
        {descriptionAdvice(value).map((advice) => (
          <li key={advice}>
            <IconBulb size={16} aria-hidden /> {t(advice)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function descriptionLength(value: string): number {
  return [...value.trim()].length;
}

interface NameFieldsProps {
  skill: NewSkill;
  check: NameCheck;
  /** The server's error on the name. */
  error: string | undefined;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** The title, and the name derived from it until the user types another. */
function NameFields({ skill, check, error, onChange }: NameFieldsProps) {
  const { t } = useTranslation();
  const isFine = !check.isOpen && check.isFree && check.isValid && check.name !== '';
  const isIllegal = check.isValid === false && check.proposed !== undefined;
  const illegal = isIllegal ? t('newSkill.nameInvalid', { name: check.proposed }) : undefined;
  const taken = check.isFree === false ? check.message : undefined;
  const fault = check.isOpen ? undefined : (illegal ?? taken);
  return (
    <>
      <TextInput
        label={t('newSkill.title')}
        description={t('newSkill.titleHint')}
        autoFocus
        maxLength={maxDisplayNameLength}
        autoComplete="off"
        value={skill.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <TextInput
        label={t('newSkill.name')}
        description={t('newSkill.nameHint')}
        name="name"
        required
        withAsterisk={false}
        classNames={{ input: classes.mono }}
        maxLength={300}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={check.name}
        onChange={(event) => onChange({ name: event.currentTarget.value || undefined })}
        error={error ?? fault}
      />
      <p className={classes.state} role="status">
        {isFine && (
          <>
            <IconCheck size={16} aria-hidden /> {t('newSkill.nameFree')}
          </>
        )}
      </p>
    </>
  );
}

const CodeEditor = lazyPart(async () => (await import('../code-editor.tsx')).CodeEditor);

interface BodyFieldProps {
  skill: NewSkill;
  /** The typed text or the template. */
  body: string;
  error: string | undefined;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** The instructions, started from a template. */
function BodyField({ skill, body, error, onChange }: BodyFieldProps) {
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
