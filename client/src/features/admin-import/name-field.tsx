import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import type { Choice } from './import-plan.ts';
import classes from './name-field.module.css';
import type { NameError } from './use-name-faults.ts';

interface NameFieldProps {
  choice: Choice;
  fault: NameError | 'checking' | undefined;
  /** Takes the focus when the user asked for it. */
  isAsked: boolean;
  onChoose: (choice: Choice) => void;
}

/** The new name of a skill, checked while the user types. */
export function NameField({ choice, fault, isAsked, onChoose }: NameFieldProps) {
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
