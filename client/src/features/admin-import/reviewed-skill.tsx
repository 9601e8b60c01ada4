import type { AdminDiagnostic } from '@knowhow/shared/skills/admin-skill';
import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { Checkbox } from '@mantine/core';
import { IconPencil, IconPencilOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { ConflictChoice } from './conflict-choice.tsx';
import { type Choice, possibleActions } from './import-plan.ts';
import { NameField } from './name-field.tsx';
import { FileDiagnostics, ReviewedFiles } from './reviewed-files.tsx';
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
        <FileDiagnostics files={skill.files} />
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
