import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './conflict-choice.module.css';
import { type ImportAction, possibleActions } from './import-plan.ts';

interface ConflictChoiceProps {
  skill: SkillReport;
  conflict: NonNullable<SkillReport['conflict']>;
  action: ImportAction;
  onChoose: (action: ImportAction) => void;
}

/** Resolves a name conflict: shows the differences and the options. */
export function ConflictChoice({ skill, conflict, action, onChoose }: ConflictChoiceProps) {
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
              classNames={{ body: classes.target }}
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
