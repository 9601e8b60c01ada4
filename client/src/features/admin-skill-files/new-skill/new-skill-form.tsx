import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePersistedState } from '../../../ui/use-persisted-state.ts';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import type { FileAtPath } from '../use-file-actions.ts';
import { useReview } from '../use-review.ts';
import { BodyField } from './body-field.tsx';
import { CreateOutcome } from './create-outcome.tsx';
import { DescriptionField, descriptionLength, maxDescriptionLength } from './description-field.tsx';
import { EntryPreview } from './entry-preview.tsx';
import { fieldError } from './field-errors.ts';
import { FilesField, validateFile } from './files-field.tsx';
import { LabelFields } from './label-fields.tsx';
import { NameFields } from './name-fields.tsx';
import {
  emptySkill,
  type NewSkill,
  newSkillSchema,
  skillText,
  toCreateRequest,
  validateTags,
} from './new-skill.ts';
import classes from './new-skill-form.module.css';
import { useBody } from './use-body.ts';
import { useCreate } from './use-create.ts';
import { useNameCheck } from './use-name-check.ts';

/** The form for a new skill, from its title to its files. */
export function NewSkillForm({ onCreated }: { onCreated: (skill: AdminSkillDetail) => void }) {
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
