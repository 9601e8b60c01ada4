import { type BackupPart, backupParts } from '@knowhow/shared/config/backup';
import { Checkbox } from '@mantine/core';
import classes from './part-choice.module.css';
import { usePartName } from './use-part-name.ts';

interface PartChoiceProps {
  label: string;
  /** The available parts. */
  parts: readonly BackupPart[];
  chosen: readonly BackupPart[];
  onChange: (chosen: BackupPart[]) => void;
}

/** Selects parts of a backup. */
export function PartChoice({ label, parts, chosen, onChange }: PartChoiceProps) {
  const partName = usePartName();
  return (
    <Checkbox.Group
      label={label}
      classNames={{ label: classes.label }}
      value={[...chosen]}
      onChange={(values) => onChange(backupParts.filter((part) => values.includes(part)))}
    >
      <div className={classes.parts}>
        {parts.map((part) => (
          <Checkbox
            key={part}
            value={part}
            label={partName(part)}
            classNames={{ body: classes.target }}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
