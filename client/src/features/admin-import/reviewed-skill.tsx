import type { AdminDiagnostic } from '@knowhow/shared/skills/admin-skill';
import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { IconEyeExclamation, IconPencil, IconPencilOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { CheckList } from '../../ui/checks/check-list.tsx';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useSkillTexts } from '../../ui/text/use-skill-texts.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { type Choice, type ImportAction, possibleActions } from './import-plan.ts';
import classes from './reviewed-skill.module.css';
import { OriginNote, OriginParts } from './skill-origin.tsx';
import type { NameError } from './use-name-faults.ts';

interface ReviewedSkillProps {
  skill: SkillReport;
  choice: Choice;
  fault: NameError | 'checking' | undefined;
  onChoose: (choice: Choice) => void;
}

/** One skill of an archive: its details, diagnostics and the decision. */
export function ReviewedSkill({ skill, choice, fault, onChoose }: ReviewedSkillProps) {
  const { t } = useTranslation();
  const { bytes, number } = useFormat();
  const [isRenaming, setRenaming] = useState(false);
  const [wanted = 'skip', ...others] = possibleActions(skill);
  const isTaken = choice.action !== 'skip';
  const errors = skill.diagnostics.filter(({ severity }) => severity === 'error');
  const hints = skill.diagnostics.filter(({ severity }) => severity !== 'error');
  const scripts = skill.files.filter(({ script }) => script).length;
  const facts = [
    t('skillImport.files', { count: skill.files.length }),
    ...(scripts > 0 ? [t('skillImport.scripts', { count: scripts })] : []),
    bytes(skill.bytes),
    t('skillImport.tokens', { count: skill.tokens.body, tokens: number(skill.tokens.body) }),
  ];
  return (
    <li className={classes.skill} data-skipped={!isTaken || undefined}>
      <div className={classes.head}>
        <Checkbox
          className={classes.choice}
          classNames={{ label: classes.name, body: classes.target }}
          label={
            <>
              <Bolt size={15} />
              {skill.name}
            </>
          }
          disabled={wanted === 'skip'}
          checked={isTaken}
          onChange={() => onChoose({ ...choice, action: isTaken ? 'skip' : wanted })}
        />
        {isTaken && wanted === 'take' && others.includes('rename') && (
          <RenameButton
            choice={choice}
            onChoose={(chosen) => {
              setRenaming(chosen.action === 'rename');
              onChoose(chosen);
            }}
          />
        )}
        <p className={classes.facts}>{facts.join(' · ')}</p>
      </div>
      <div className={classes.details}>
        {skill.description && (
          <p className={classes.description}>{revealHiddenCharacters(skill.description)}</p>
        )}
        {skill.needsReview && <p className={classes.description}>{t('skillImport.needsReview')}</p>}
        {skill.origin && <OriginNote origin={skill.origin} />}
        {errors.length > 0 && (
          <DiagnosticsList diagnostics={isTaken ? errors.map(downgradeNameError) : errors} />
        )}
        {skill.conflict && others.length > 0 && (
          <ConflictChoice
            skill={skill}
            conflict={skill.conflict}
            action={choice.action}
            onChoose={(action) => onChoose({ ...choice, action })}
          />
        )}
        <NameField choice={choice} fault={fault} isAsked={isRenaming} onChoose={onChoose} />
        {isTaken && skill.checks && <CheckList checks={skill.checks} />}
        <FileDiagnostics files={withoutShown(skill, isTaken ? skill.checks : undefined)} />
        <div className={classes.folds}>
          {hints.length > 0 && (
            <Expander summary={t('skillImport.hints', { count: hints.length })}>
              <DiagnosticsList diagnostics={hints} />
            </Expander>
          )}
          {skill.origin && <OriginParts origin={skill.origin} />}
          <ReviewedFiles files={skill.files} />
        </div>
      </div>
    </li>
  );
}

/** A name error disappears when the skill is renamed. */
function downgradeNameError(error: AdminDiagnostic): AdminDiagnostic {
  return { ...error, severity: 'warning' };
}

/** For a valid name that the user does not want. */
function RenameButton({ choice, onChoose }: Pick<ReviewedSkillProps, 'choice' | 'onChoose'>) {
  const { t } = useTranslation();
  const isRenamed = choice.action === 'rename';
  return (
    <IconButton
      label={t(isRenamed ? 'skillImport.ownName' : 'skillImport.rename')}
      icon={isRenamed ? <IconPencilOff size={16} /> : <IconPencil size={16} />}
      onClick={() => onChoose({ ...choice, action: isRenamed ? 'take' : 'rename' })}
    />
  );
}

interface NameFieldProps {
  choice: Choice;
  fault: NameError | 'checking' | undefined;
  /** Takes the focus when the user asked for it. */
  isAsked: boolean;
  onChoose: (choice: Choice) => void;
}

/** The new name of a skill, checked while the user types. */
function NameField({ choice, fault, isAsked, onChoose }: NameFieldProps) {
  const { t } = useTranslation();
  const said = typeof fault === 'object' ? fault : undefined;
  const proposal = said?.proposal;
  if (choice.action !== 'rename') {
    return said && <p className={classes.fault}>{said.message}</p>;
  }
  return (
    <div className={classes.field}>
      <TextInput
        ref={isAsked ? focusHere : undefined}
        label={t('skillImport.newName')}
        value={choice.newName}
        maxLength={64}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        error={said?.message}
        description={fault ? undefined : t('skillImport.nameFree')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => onChoose({ ...choice, newName: event.currentTarget.value })}
      />
      {proposal !== undefined && (
        <Button
          variant="light"
          size="compact-sm"
          onClick={() => onChoose({ ...choice, newName: proposal })}
        >
          {t('skillImport.useProposal', { name: proposal })}
        </Button>
      )}
    </div>
  );
}

interface ConflictChoiceProps {
  skill: SkillReport;
  conflict: NonNullable<SkillReport['conflict']>;
  action: ImportAction;
  onChoose: (action: ImportAction) => void;
}

/** Resolves a name conflict: shows the differences and the options. */
function ConflictChoice({ skill, conflict, action, onChoose }: ConflictChoiceProps) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const { changes, writable } = conflict;
  const words = {
    replace: t(writable ? 'skillImport.replace' : 'skillImport.hide'),
    rename: t('skillImport.rename'),
    skip: t('skillImport.skip'),
  };
  const choices = possibleActions(skill).flatMap((each) => (each === 'take' ? [] : [each]));
  const facts = {
    name: skill.name,
    location: conflict.location,
    date: relativeDate(conflict.updatedAt),
  };
  return (
    <div className={classes.conflict}>
      <Radio.Group
        label={t(changes.length === 0 ? 'skillImport.same' : 'skillImport.exists', facts)}
        classNames={{ label: classes.label }}
        value={action}
        onChange={(chosen) => onChoose(chosen as ImportAction)}
      >
        <div className={classes.choices}>
          {choices.map((each) => (
            <Radio
              key={each}
              value={each}
              label={words[each]}
              classNames={{ body: classes.conflictChoiceTarget }}
            />
          ))}
        </div>
      </Radio.Group>
      {changes.length > 0 && (
        <Expander summary={t('skillImport.changes', { count: changes.length })}>
          <FileChanges changes={changes} />
        </Expander>
      )}
    </div>
  );
}

/** The files with the diagnostics that the checks do not show. */
function withoutShown({ files }: SkillReport, checks: SkillReport['checks'] = []) {
  const findings = checks.flatMap((check) => check.findings);
  return files.map((file) => ({
    ...file,
    diagnostics: file.diagnostics.filter(
      ({ code }) => !findings.some((found) => found.code === code && found.path === file.path),
    ),
  }));
}

type Files = Pick<SkillReport, 'files'>;

/** Files to review before the installation. */
function FileDiagnostics({ files }: Files) {
  const { say } = useSkillTexts();
  const diagnostics = files.flatMap(({ path, diagnostics: own }) =>
    own.map((diagnostic) => ({ ...diagnostic, path })),
  );
  if (diagnostics.length === 0) {
    return null;
  }
  return (
    <ul className={classes.diagnostics}>
      {diagnostics.map(({ path, ...diagnostic }) => (
        <li key={`${path} ${diagnostic.code} ${diagnostic.line}`}>
          <IconEyeExclamation className={classes.icon} size={17} aria-hidden />
          <span className={classes.text}>
            <bdi className={classes.path}>{revealHiddenCharacters(path)}</bdi> {say(diagnostic)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The files of a skill, with executable ones marked. */
function ReviewedFiles({ files }: Files) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return (
    <Expander summary={t('skillImport.files', { count: files.length })}>
      <ul className={classes.files}>
        {files.map(({ path, size, script }) => (
          <li key={path}>
            <bdi className={classes.path}>{revealHiddenCharacters(path)}</bdi>
            {script && <span className={classes.script}>{t('skillImport.script')}</span>}
            <span className={classes.size}>{bytes(size)}</span>
          </li>
        ))}
      </ul>
    </Expander>
  );
}
